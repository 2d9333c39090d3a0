export const settings = {
  title: 'Settings',
  sections: 'Sections of the settings',
  choose: 'Section',
  names: {
    company: 'Company',
    people: 'People',
    audit: 'Audit log',
    mail: 'Mail',
    ladder: 'Ladder',
    catalogue: 'Catalogue',
    keys: 'API keys',
    requests: 'Request log',
    webhooks: 'Webhooks',
    import: 'Import',
    retention: 'Retention',
  } as const,
}
