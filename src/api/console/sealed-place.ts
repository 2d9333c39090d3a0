import type { Context } from '../../domain/kernel/context.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { CannotOpen } from '../../platform/secret-box.ts'
import type { Deps } from '../deps.ts'

/** Of a place that is sealed, for the pattern of a field. */
export const sealedPattern = 'sealed:[\\w-]{8}:[\\w-]{40,4000}'

const sealedFor = ({ actor }: Context, list: string) => `${list}-place:${actor.installerId}:${actor.id}`

/** Where a page ended that was not full. It may name a record that is none of the reader's: they carry it without reading it. */
export const sealPlace = ({ box }: Deps, ctx: Context, list: string, place: string): string =>
  box.seal(padded(place), sealedFor(ctx, list))

// How long it is would tell how long a name is.
const fullBytes = 512
const padded = (text: string) => text + '\0'.repeat(fullBytes - (Buffer.byteLength(text) % fullBytes))

/** A place as it was, sealed for this reader or not at all. */
export function openPlace({ box }: Deps, ctx: Context, list: string, after: string): string {
  if (!after.startsWith('sealed:')) return after
  try {
    return box.open(after, sealedFor(ctx, list)).replace(/\0+$/, '')
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error
    throw new DomainError('invalid', 'after must be the "next" of the page before, as it is.')
  }
}
