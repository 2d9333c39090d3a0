import { newId } from '../../../platform/ids.ts'

/** For how long what was done in the console can be taken back; its mails wait until then. */
const undoMs = 30_000
/** So that who undoes in the last moment is not overtaken by the mail. */
const mailMarginMs = 2_000

/** A move or a sale that may be taken back, and until when. */
export interface Undoable {
  id: string
  undoUntil: Date
}

export function undoableFrom(now: Date): Undoable {
  return { id: newId('move'), undoUntil: new Date(now.getTime() + undoMs) }
}

export function mailsAt({ undoUntil }: Undoable): Date {
  return new Date(undoUntil.getTime() + mailMarginMs)
}
