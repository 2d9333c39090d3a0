const of = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

export const privacy = {
  card: 'Privacy',
  cardNote: 'What is kept about this customer can be handed to them, and erased when they ask for it.',
  erased: 'Erased',
  erasedCustomer: 'Erased customer',
  erasedNote: (when: string) =>
    `What was known about this customer was erased on ${when}. The record stays, so that reports are right and other systems learn of it; nothing new can be written on it.`,
  handOut: 'Hand out',
  handOutTitle: 'Hand out what is kept',
  handOutNote:
    'One file with everything about this customer and their co-borrower: details, project, bills, mails, notes, history, documents. Internal notes are in it and marked as such: look at it before you pass it on.',
  download: 'Download',
  others: (count: number) =>
    `Also ${of(count, 'other lead', 'other leads')} of the same email or phone in this company`,
  otherLeads: 'The same email or phone stands on other leads, which stay as they are:',
  erase: 'Erase',
  eraseTitle: (name: string) => `Erase ${name || 'this customer'}?`,
  eraseNote: 'This cannot be taken back. Backups hold it until they are removed.',
  goes: 'What goes',
  stays: 'What stays',
  contact: 'Name, co-borrower, address, email, phone, utility, source and notes',
  entries: (count: number) => `The texts of ${of(count, 'entry', 'entries')} in the activity feed`,
  mails: (count: number) => of(count, 'mail', 'mails'),
  files: (count: number) => of(count, 'file', 'files'),
  drafts: (count: number) => of(count, 'draft of an invoice', 'drafts of invoices'),
  history: (count: number) => `Details in ${of(count, 'line', 'lines')} of the history`,
  record: 'The lead, archived, with its status and dates',
  project: 'The project: stages, system, price and what it makes',
  invoices: (count: number, named: boolean) =>
    `${of(count, 'invoice', 'invoices')} with number, amounts and days, ${named ? 'with the name, as your company wants it' : 'without the name'}`,
  billed: 'This customer is still billed by a plan. End the billing plan of their installation first.',
  typeName: (name: string) => `Type ${name} to go on`,
  /** To be typed where there is no name. */
  eraseWord: 'erase',
  installerErases: 'The customer has bought: the installer erases them. Ask there when they want it.',
  done: 'The customer is erased.',
}

export const retention = {
  title: 'Retention',
  note: 'How long your company keeps what. Empty fields keep it. What is due goes once a day.',
  unsold: 'Leads that were never sold',
  unsoldHint: 'Months without any change, after which the customer is erased',
  mails: 'Texts of mails',
  mailsHint: 'Months after which the text goes; that it was sent, to whom and when stays',
  requests: 'Request log',
  requestsHint: 'Days, 14 at most',
  months: 'months',
  days: 'days',
  invoices: 'Leave name and address on finalized invoices when a customer is erased',
  invoicesHint: 'For where the law wants them to stay. Without it, the name is struck out.',
  concernedTitle: 'What this would concern now',
  leadsConcerned: (count: string) => `${count} ${count === '1' ? 'lead' : 'leads'} would be erased`,
  mailsConcerned: (count: string) => `the texts of ${count} ${count === '1' ? 'mail' : 'mails'} would go`,
  callsConcerned: (count: string) =>
    `${count} ${count === '1' ? 'part' : 'parts'} of the request log would go`,
  nothingConcerned: 'Nothing: everything is kept.',
  orMore: (count: string) => `${count} or more`,
  save: 'Save',
  confirmTitle: 'Let this go?',
  confirmNote: 'It goes within a day, and then whenever more is due. This cannot be taken back.',
  confirm: 'Save and let it go',
  saved: 'Saved. It is gone by from now on.',
  lastRun: (when: string, leads: number, mails: number) =>
    `Last gone by on ${when}: ${of(leads, 'lead', 'leads')} erased, ${of(mails, 'mail', 'mails')} without their text.`,
  notRun: 'Not gone by yet.',
}
