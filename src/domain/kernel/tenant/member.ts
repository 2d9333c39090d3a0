export const roles = ['owner', 'admin', 'manager', 'rep', 'setter', 'surveyor', 'subcontractor'] as const
export type Role = (typeof roles)[number]

export interface Member {
  id: string
  companyId: string
  email: string
  name: string
  phone: string | null
  role: Role
  active: boolean
}

/** One company that a person works for. */
export interface Membership {
  memberId: string
  name: string
  role: Role
  installerId: string
  companyId: string
  companyName: string
  companyKind: 'installer' | 'dealer'
  /** Whether the company requires a second factor of its owners and admins. */
  secondFactorRequired: boolean
  /** Whether whoever reads their mail removed the one that the company required, and it has not agreed yet. */
  factorLost: boolean
}
