/** A call of an interface for programs, once it is answered. */
export interface Call {
  /** When it was answered, in milliseconds since 1970. */
  at: number
  method: string
  /** The address as it is described, such as /v1/leads/:id. */
  route: string
  /** The address as it was asked for, without its query. */
  path: string
  status: number
  durationMs: number
  /** Of the answer's body, where it is known beforehand. */
  bytes: number | null
  requestId: string
  /** How many calls it stands for, where that is more than itself: those over the limit are told once a minute. */
  times?: number
}

/** Whose call it was. */
export interface Owner {
  installerId: string
  companyId: string
  keyId: string
}

/** A request counts as failed from this status on. */
export const failedFrom = 400

/** Calls are kept in batches: one that began before a time has ended this much after it. */
export const longestBatchMs = 300_000

export const daysKept = 14
const dayMs = 86_400_000

/** Before this, calls are forgotten. */
export function retainedFrom(now: Date): Date {
  return new Date(now.getTime() - daysKept * dayMs)
}
