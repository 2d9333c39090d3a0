/** A member's open work on its way to another. */
export interface Reassignment {
  installerId: string
  id: string
  companyId: string
  fromMemberId: string
  toMemberId: string
  state: 'running' | 'done' | 'failed'
  failure: string | null
  /** Records, when it began. */
  total: number
  done: number
  actorId: string
  actorName: string
  actorCompanyId: string
}

/** So many records are written while the tenant's lock is held, which is a tenth of a second. */
export const atOnce = 50
/** For how long whoever works on it may say nothing before another takes over. */
export const claimMs = 20_000
