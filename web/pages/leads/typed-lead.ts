import type { NewLeadBody } from '../../../src/api/console/lead-requests.ts'

/** A new lead as it stands in the form. */
export interface TypedLead {
  productLine: 'solar' | 'hi'
  firstName: string
  lastName: string
  phone: string
  email: string
  coFirstName: string
  coLastName: string
  coPhone: string
  coEmail: string
  line1: string
  line2: string
  city: string
  state: string
  postalCode: string
  utility: string
  monthlyBill: string
  source: string
  subSource: string
  salesRepId: string
  setterId: string
  notes: string
}

export const emptyLead: TypedLead = {
  productLine: 'solar',
  firstName: '',
  lastName: '',
  phone: '',
  email: '',
  coFirstName: '',
  coLastName: '',
  coPhone: '',
  coEmail: '',
  line1: '',
  line2: '',
  city: '',
  state: '',
  postalCode: '',
  utility: '',
  monthlyBill: '',
  source: '',
  subSource: '',
  salesRepId: '',
  setterId: '',
  notes: '',
}

export function newLeadBody(typed: TypedLead): NewLeadBody {
  const { firstName, lastName, phone, email, productLine, notes, line1, line2, city, state, postalCode } =
    typed
  return {
    productLine,
    firstName,
    lastName,
    phone,
    email,
    notes,
    address: { line1, line2, city, state, postalCode },
    coBorrower: {
      firstName: typed.coFirstName,
      lastName: typed.coLastName,
      phone: typed.coPhone,
      email: typed.coEmail,
    },
    utility: { name: typed.utility, monthlyBill: typed.monthlyBill },
    source: { name: typed.source, subSource: typed.subSource },
    salesRepId: typed.salesRepId || null,
    setterId: typed.setterId || null,
  }
}
