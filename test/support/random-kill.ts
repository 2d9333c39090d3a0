/** Thrown where a client dies. */
export class Killed extends Error {
  override name = 'Killed'
}

export interface Killer {
  /** A place in a client where it may die. */
  maybe(): void
  /** How often it has. */
  kills(): number
}

/** Kills by chance, the same for the same seed, until it is told to let the client live. */
export function createKiller(seed: number, chance: number, lives: () => boolean): Killer {
  let state = seed
  let kills = 0
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return {
    maybe() {
      if (lives() || random() >= chance) return
      kills++
      throw new Killed()
    },
    kills: () => kills,
  }
}

/** Begins a client anew each time it is killed, until it ends by itself. */
export async function begunAnew(client: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await client()
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
  }
}
