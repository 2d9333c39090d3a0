export const settings = {
  title: 'Settings',
  sections: 'Settings sections',
  choose: 'Section',
  names: {
    company: 'Company',
    people: 'People',
    audit: 'Audit log',
    mail: 'Email',
    ladder: 'Stages',
    catalogue: 'Catalogue',
    keys: 'API keys',
    requests: 'Request log',
    webhooks: 'Webhooks',
    import: 'Import',
    retention: 'Retention',
  } as const,
}
