import type { SessionResponse } from '../../session/session.tsx'
import { settings as texts } from '../../texts/en/settings.ts'

/** What the settings consist of, in their order; some belong to the installer alone. */
const sections = [
  { to: '/settings/company', label: texts.names.company, installerOnly: false },
  { to: '/settings/people', label: texts.names.people, installerOnly: false },
  { to: '/settings/ladder', label: texts.names.ladder, installerOnly: true },
  { to: '/settings/catalogue', label: texts.names.catalogue, installerOnly: true },
  { to: '/settings/keys', label: texts.names.keys, installerOnly: false },
  { to: '/settings/webhooks', label: texts.names.webhooks, installerOnly: false },
  { to: '/settings/requests', label: texts.names.requests, installerOnly: false },
  { to: '/settings/import', label: texts.names.import, installerOnly: false },
  { to: '/settings/retention', label: texts.names.retention, installerOnly: false },
  { to: '/settings/audit', label: texts.names.audit, installerOnly: false },
  { to: '/settings/mail', label: texts.names.mail, installerOnly: false },
] as const

export function sectionsFor({ company, can }: SessionResponse) {
  if (!can.settings) return []
  return sections.filter(({ installerOnly }) => !installerOnly || company.kind === 'installer')
}
