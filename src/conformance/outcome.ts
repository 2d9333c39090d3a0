/** What the server did is not what the rule says. */
export class Failed extends Error {}

/** The rule cannot be held against this server, or not in this run; the message says why. */
export class NotApplicable extends Error {}

export function fail(message: string): never {
  throw new Failed(message)
}

export function notApplicable(why: string): never {
  throw new NotApplicable(why)
}

/**
 * What a rule builds on and does not judge itself. Where it cannot be had the rule says so; the rule that judges it is the one
 * that fails.
 */
export async function need<T>(what: string, made: Promise<T>): Promise<T> {
  try {
    return await made
  } catch (error) {
    if (error instanceof NotApplicable) throw error
    throw new NotApplicable(`needs ${what}: ${(error as Error).message}`)
  }
}
