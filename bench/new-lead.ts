/** What a caller sends to create a lead. */
export const newLead = {
  firstName: 'Ada',
  lastName: 'Moreno',
  address: { line1: '1 Market St', city: 'San Diego', state: 'CA', postalCode: '92101' },
  email: 'ada.moreno@example.com',
  phone: '+1 619 555 0100',
}
