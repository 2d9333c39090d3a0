const of = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

export const privacy = {
  card: 'Privacy',
  cardNote: 'Export this customer’s data for them, or erase it at their request.',
  erased: 'Erased',
  erasedCustomer: 'Erased customer',
  erasedNote: (when: string) =>
    `This customer’s data was erased on ${when}. The record stays so that reports stay right and other systems are told. Nothing new can be added to it.`,
  export: 'Export',
  exportTitle: 'Export customer data',
  exportNote:
    'One file with everything about this customer and their co-borrower: details, project, invoices, emails, notes, history and documents. It includes internal notes, marked as such. Review it before passing it on.',
  download: 'Download',
  others: (count: number) =>
    `Also ${of(count, 'other lead', 'other leads')} with the same email or phone in this company`,
  otherLeads: 'Other leads have the same email or phone. They aren’t erased:',
  erase: 'Erase',
  eraseTitle: (name: string) => `Erase ${name || 'this customer'}?`,
  eraseNote: 'This can’t be undone. Backups keep the data until they’re deleted.',
  goes: 'Erased',
  stays: 'Kept',
  contact: 'Name, co-borrower, address, email, phone, utility, source and notes',
  entries: (count: number) => `The text of ${of(count, 'activity entry', 'activity entries')}`,
  mails: (count: number) => of(count, 'email', 'emails'),
  files: (count: number) => of(count, 'file', 'files'),
  drafts: (count: number) => of(count, 'draft invoice', 'draft invoices'),
  history: (count: number) => `Details in ${of(count, 'history entry', 'history entries')}`,
  record: 'The lead, archived, with its status and dates',
  project: 'The project: stages, system, price and production',
  invoices: (count: number, named: boolean) =>
    `${of(count, 'invoice', 'invoices')} with number, amounts and dates, ${named ? 'with the name, as set by your company' : 'without the name'}`,
  billed: 'This customer is still on a billing plan. End the plan for their installation first.',
  typeName: (name: string) => `Type ${name} to confirm`,
  /** To be typed where there is no name. */
  eraseWord: 'erase',
  installerErases:
    'This customer has bought a system, so only the installer can erase them. Ask the installer.',
  done: 'Customer erased.',
}

export const retention = {
  title: 'Retention',
  note: 'How long your company keeps data. Leave a field empty to keep it forever. Runs once a day.',
  unsold: 'Unsold leads',
  unsoldHint: 'Months without changes before the customer is erased',
  mails: 'Email text',
  mailsHint: 'Months before the text is removed. Recipient and time are kept.',
  requests: 'Request log',
  requestsHint: 'Days, up to 14',
  months: 'months',
  days: 'days',
  invoices: 'Keep name and address on finalized invoices when a customer is erased',
  invoicesHint: 'Turn on where the law requires it. Otherwise the name is removed.',
  concernedTitle: 'What this affects now',
  leadsConcerned: (count: string) => `${count} ${count === '1' ? 'lead' : 'leads'} would be erased`,
  mailsConcerned: (count: string) =>
    `the text of ${count} ${count === '1' ? 'email' : 'emails'} would be removed`,
  callsConcerned: (count: string) =>
    `${count} ${count === '1' ? 'part' : 'parts'} of the request log would be removed`,
  nothingConcerned: 'Nothing: everything is kept.',
  orMore: (count: string) => `${count} or more`,
  save: 'Save',
  confirmTitle: 'Delete this data?',
  confirmNote: 'It’s deleted within a day, and again whenever more is due. This can’t be undone.',
  confirm: 'Save and delete',
  saved: 'Retention settings saved.',
  lastRun: (when: string, leads: number, mails: number) =>
    `Last run on ${when}: ${of(leads, 'lead', 'leads')} erased, ${of(mails, 'email', 'emails')} cleared.`,
  notRun: 'Hasn’t run yet.',
}
