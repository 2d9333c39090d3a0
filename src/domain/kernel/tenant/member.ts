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
