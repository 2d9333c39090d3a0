import { alertRules, invoiceRules } from './catalogue/alerts-invoices.ts'
import { energyRules } from './catalogue/energy.ts'
import { installationRules } from './catalogue/installations.ts'
import { catalogueKeyRules } from './catalogue/keys.ts'
import { catalogueErrorRules, panelRules } from './catalogue/panels.ts'
import { webhookRules } from './catalogue/webhooks.ts'
import { legacyChangeRules } from './legacy/changes.ts'
import { legacyKeyRules } from './legacy/keys.ts'
import { legacyLeadRules } from './legacy/leads.ts'
import { legacyListRules } from './legacy/lists.ts'
import { legacyProjectRules } from './legacy/project-fields.ts'
import { legacyCreateProjectRules } from './legacy/projects.ts'
import { legacyUploadRules } from './legacy/uploads.ts'
import type { Interface, Rule } from './rule.ts'
import { activityRules } from './v1/activities.ts'
import { catalogueRules } from './v1/catalogue.ts'
import { fileRules } from './v1/files.ts'
import { generalRules } from './v1/general.ts'
import { keyRules } from './v1/keys.ts'
import { leadFieldRules } from './v1/lead-fields.ts'
import { leadChangeRules } from './v1/leads-change.ts'
import { leadCreateRules } from './v1/leads-create.ts'
import { limitRules } from './v1/limits.ts'
import { listRules } from './v1/lists.ts'
import { projectFieldRules } from './v1/project-fields.ts'
import { projectRules } from './v1/projects.ts'
import { stageRules } from './v1/stages.ts'
import { visibilityRules } from './v1/visibility.ts'

/** What a run leaves behind or changes; the kit says it before. */
export type Written = 'leads' | 'projects' | 'installations' | 'panels' | 'webhooks' | 'files' | 'hi project'

interface Chapter {
  rules: Rule[]
  writes: Written[]
}

/** In the order in which they are run; what reaches the rate limit comes last. */
export const chapters: Chapter[] = [
  { rules: keyRules, writes: [] },
  { rules: generalRules, writes: [] },
  { rules: leadCreateRules, writes: ['leads'] },
  { rules: leadFieldRules, writes: ['leads'] },
  { rules: leadChangeRules, writes: ['leads'] },
  { rules: activityRules, writes: ['leads'] },
  { rules: listRules, writes: ['leads'] },
  { rules: visibilityRules, writes: ['leads'] },
  { rules: projectFieldRules, writes: ['projects'] },
  { rules: projectRules, writes: ['projects'] },
  { rules: stageRules, writes: ['projects'] },
  { rules: fileRules, writes: ['projects', 'files'] },
  { rules: catalogueRules, writes: [] },
  { rules: legacyKeyRules, writes: [] },
  { rules: legacyLeadRules, writes: ['leads'] },
  { rules: legacyCreateProjectRules, writes: ['projects'] },
  { rules: legacyProjectRules, writes: ['leads', 'projects'] },
  { rules: legacyChangeRules, writes: ['leads', 'projects', 'hi project'] },
  { rules: legacyUploadRules, writes: ['projects', 'files', 'hi project'] },
  { rules: legacyListRules, writes: ['leads', 'projects'] },
  { rules: catalogueKeyRules, writes: [] },
  { rules: catalogueErrorRules, writes: [] },
  { rules: panelRules, writes: ['installations', 'panels'] },
  { rules: installationRules, writes: ['installations', 'panels'] },
  { rules: energyRules, writes: ['installations', 'panels'] },
  { rules: alertRules, writes: [] },
  { rules: invoiceRules, writes: [] },
  { rules: webhookRules, writes: ['installations', 'panels', 'webhooks'] },
  { rules: limitRules, writes: [] },
]

export const allRules: Rule[] = chapters.flatMap(({ rules }) => rules)

/** The first word of a rule's id. */
export const interfaceOf = ({ id }: Pick<Rule, 'id'>) => id.split('.', 1)[0] as Interface
