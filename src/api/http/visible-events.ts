import { type EventName, eventNames } from '../../domain/journal/events/event-names.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Caller } from './authenticate.ts'

const ofCatalogue = /^(panel|installation|alert|invoice|credit)\./

/** A key that was made without the catalogue API is not told here what it may not read there. */
export function visibleTo(
  { interfaces }: Pick<Caller, 'interfaces'>,
  types: readonly EventName[] | undefined,
): readonly EventName[] | undefined {
  if (interfaces.includes('catalog')) return types
  const visible = (types ?? eventNames).filter((name) => !ofCatalogue.test(name))
  if (visible.length > 0) return visible
  throw new DomainError(
    'forbidden',
    'These events are of the catalogue API, which this key was not made for. Use a key that may call it.',
  )
}
