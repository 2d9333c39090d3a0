import type { Call, Owner } from './request.ts'

/** A call as it was noted. What was asked for is in bytes: its path, a tab, its id. */
export interface Noted {
  owner: Owner
  at: number
  status: number
  durationMs: number
  /** Below 0 where it is not known. */
  bytes: number
  method: string
  route: string
  asked: Buffer
  askedFrom: number
  askedTo: number
}

export interface Notes {
  readonly count: number
  add(owner: Owner, call: Call): void
  /** Tells all of them in the order in which they came, by one object that is used again, and forgets them. */
  take(tell: (noted: Noted) => void): void
}

const firstCalls = 64
const numbersEach = 6
const firstTextBytes = 8_192
const tab = 0x09

/**
 * Calls until they are written, one behind the other, as numbers and bytes. That is what can be done for each call at
 * least cost: to put them into words, key by key, is quicker for many at once, and objects that wait would be copied by
 * each collection of garbage.
 */
export function createNotes(): Notes {
  let count = 0
  let numbers = new Float64Array(firstCalls * numbersEach)
  let asked = Buffer.allocUnsafe(firstTextBytes)
  let askedTo = 0
  const methods: string[] = []
  const routes: string[] = []
  const owners: Owner[] = []
  const places = new Map<string, number>()

  function placeOf(owner: Owner): number {
    let place = places.get(owner.keyId)
    if (place === undefined) {
      place = owners.push(owner) - 1
      places.set(owner.keyId, place)
    }
    return place
  }

  function makeRoom(bytes: number): void {
    if (count * numbersEach === numbers.length) {
      const more = new Float64Array(2 * numbers.length)
      more.set(numbers)
      numbers = more
    }
    if (askedTo + bytes > asked.length) {
      const more = Buffer.allocUnsafe(2 * (askedTo + bytes))
      asked.copy(more, 0, 0, askedTo)
      asked = more
    }
  }

  return {
    get count() {
      return count
    },
    add(owner, { at, status, durationMs, bytes, method, route, path, requestId }) {
      makeRoom(path.length + 1 + requestId.length)
      askedTo += asked.write(path, askedTo, 'latin1')
      asked[askedTo++] = tab
      askedTo += asked.write(requestId, askedTo, 'latin1')
      const from = count * numbersEach
      numbers[from] = at
      numbers[from + 1] = placeOf(owner)
      numbers[from + 2] = status
      numbers[from + 3] = durationMs
      numbers[from + 4] = bytes ?? -1
      numbers[from + 5] = askedTo
      methods[count] = method
      routes[count] = route
      count++
    },
    take(tell) {
      const noted = { asked, askedFrom: 0 } as Noted
      for (let i = 0; i < count; i++) {
        const from = i * numbersEach
        noted.at = numbers[from]!
        noted.owner = owners[numbers[from + 1]!]!
        noted.status = numbers[from + 2]!
        noted.durationMs = numbers[from + 3]!
        noted.bytes = numbers[from + 4]!
        noted.askedTo = numbers[from + 5]!
        noted.method = methods[i]!
        noted.route = routes[i]!
        tell(noted)
        noted.askedFrom = noted.askedTo
      }
      count = 0
      askedTo = 0
      owners.length = 0
      places.clear()
    },
  }
}
