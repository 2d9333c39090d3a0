import type { Rule } from '../rule.ts'
import { filterRules, type PagedList, pageRules } from './pages.ts'
import { createLead } from './records.ts'

const leads: PagedList = {
  prefix: 'v1.leads.list',
  time: 'updatedAt',
  /** With some rows in it, whatever there was before. */
  async path(kit) {
    if (!kit.readOnly)
      await kit.once('v1 listed leads', async () => {
        for (let i = 0; i < 5; i++) await createLead(kit, kit.installer)
      })
    return '/leads'
  },
  refuses: true,
}

const projects: PagedList = {
  prefix: 'v1.projects.list',
  time: 'updatedAt',
  path: async () => '/projects',
  refuses: true,
}

export const listRules: Rule[] = [leads, projects].flatMap((list) => [
  ...pageRules(list),
  ...filterRules(list),
])
