import type { Call, Owner } from './request.ts'

export interface Notes {
  readonly count: number
  add(owner: Owner, call: Call): void
  /** Tells all of them in the order in which they came, by one object that is used again, and forgets them. */
  take(tell: (owner: Owner, call: Call) => void): void
}

const firstCalls = 64
const numbersEach = 5

/**
 * Calls until they are written, one behind the other. That is what can be done for each of them at least cost: to put
 * them into words, key by key, is quicker for many at once, and objects that wait would be copied by each collection of
 * garbage.
 */
export function createNotes(): Notes {
  let count = 0
  let numbers = new Float64Array(firstCalls * numbersEach)
  const methods: string[] = []
  const routes: string[] = []
  const paths: string[] = []
  const requestIds: string[] = []
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

  return {
    get count() {
      return count
    },
    add(owner, { at, status, durationMs, bytes, method, route, path, requestId }) {
      const from = count * numbersEach
      if (from === numbers.length) {
        const more = new Float64Array(2 * numbers.length)
        more.set(numbers)
        numbers = more
      }
      numbers[from] = at
      numbers[from + 1] = placeOf(owner)
      numbers[from + 2] = status
      numbers[from + 3] = durationMs
      numbers[from + 4] = bytes ?? -1
      methods[count] = method
      routes[count] = route
      paths[count] = path
      requestIds[count] = requestId
      count++
    },
    take(tell) {
      const call = {} as Call
      for (let i = 0; i < count; i++) {
        const from = i * numbersEach
        const bytes = numbers[from + 4]!
        call.at = numbers[from]!
        call.status = numbers[from + 2]!
        call.durationMs = numbers[from + 3]!
        call.bytes = bytes === -1 ? null : bytes
        call.method = methods[i]!
        call.route = routes[i]!
        call.path = paths[i]!
        call.requestId = requestIds[i]!
        tell(owners[numbers[from + 1]!]!, call)
      }
      count = 0
      owners.length = 0
      places.clear()
      for (const texts of [methods, routes, paths, requestIds]) texts.length = 0
    },
  }
}
