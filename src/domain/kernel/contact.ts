export interface Contact {
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
}

export interface Address {
  line1: string | null
  line2: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  country: string | null
}

/** A person with nothing left to say about them is no person. */
export function contactOrNull(contact: Contact): Contact | null {
  return contact.firstName || contact.lastName || contact.email || contact.phone ? contact : null
}
