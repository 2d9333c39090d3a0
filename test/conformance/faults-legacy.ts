import type { Asked, Fault } from './faulty-proxy.ts'

const at = (name: string) => (asked: Asked) => asked.path === `/legacy/${name}`

/** Faults of a server that speaks the legacy API. */
export const legacyFaults = (keys: { installer: string }): Fault[] => [
  {
    name: 'a quantity is a number',
    fails: ['legacy.fetch_project.fields.numberOfPanel', 'legacy.fetch_project.numbers.numberOfPanel'],
    within: ['legacy.fetch_project'],
    when: at('fetch_project'),
    answer: ({ body }) => {
      if (body?.data) body.data.numberOfPanel = 21
    },
  },
  {
    name: 'a price has no separators',
    fails: ['legacy.fetch_project.forms.contractPrice', 'legacy.create_project.kept.system_cost'],
    within: ['legacy.fetch_project', 'legacy.create_project'],
    when: at('fetch_project'),
    answer: ({ body }) => {
      if (body?.data) body.data.contractPrice = body.data.contractPrice.replaceAll(',', '')
    },
  },
  {
    name: 'an HI day has a long year',
    fails: ['legacy.fetch_project_hi.forms.submittedDate'],
    within: ['legacy.fetch_project_hi'],
    when: at('fetch_project_hi'),
    answer: ({ body }) => {
      if (body?.data) body.data.submittedDate = '02/11/2026'
    },
  },
  {
    name: 'a folder of an HI project is one address',
    fails: ['legacy.fetch_project_hi.fields.allFilesURL.permits'],
    within: ['legacy.fetch_project_hi'],
    when: at('fetch_project_hi'),
    answer: ({ body }) => {
      if (body?.data) body.data.allFilesURL.permits = 'https://example.com/permits'
    },
  },
  {
    name: 'an HI lead has a wrapper besides',
    fails: ['legacy.fetch_lead_hi.answer'],
    within: ['legacy.fetch_lead_hi'],
    when: at('fetch_lead_hi'),
    answer: ({ body }) => {
      if (body?.id) body.data = {}
    },
  },
  {
    name: 'a phone of an updated lead is a text',
    fails: ['legacy.update_lead.status', 'legacy.update_lead.fields.primary_phone'],
    within: ['legacy.update_lead', 'legacy.fetch_lead'],
    when: at('update_lead'),
    answer: ({ body }) => {
      if (body?.primary_phone) body.primary_phone = String(body.primary_phone)
    },
  },
  {
    name: 'a created lead has its status as a text',
    fails: ['legacy.create-lead.answer', 'legacy.create-lead.status'],
    within: ['legacy.create-lead'],
    when: at('create-lead'),
    answer: ({ body }) => {
      if (body?.status) body.status = String(body.status)
    },
  },
  {
    name: 'a lead is made without a phone',
    fails: ['legacy.create-lead.required.phoneNumber'],
    within: ['legacy.create-lead'],
    when: (asked) => at('create-lead')(asked) && asked.body?.phoneNumber === undefined,
    ask: ({ body }) => {
      if (body) body.phoneNumber = '0'
    },
  },
  {
    name: 'any folder is taken',
    fails: ['legacy.project_upload_file.folder'],
    within: ['legacy.project_upload_file', 'legacy.project_upload_file_hi'],
    when: (asked) => at('project_upload_file')(asked) && asked.body?.folder_id === 'attic',
    answer: (answered) => {
      answered.status = 200
      answered.body = { success: true, message: 'Uploaded.' }
    },
  },
  {
    name: 'a record that there is not is a success by its status',
    fails: ['legacy.errors.shape'],
    within: ['legacy.errors', 'legacy.fetch_project', 'legacy.fetch_lead'],
    when: (asked) => at('fetch_project')(asked) && asked.query.has('id'),
    answer: (answered) => {
      if (answered.status === 404) answered.status = 200
    },
  },
  {
    name: 'a record that there is not is another one',
    fails: ['legacy.fetch_project_hi.missing'],
    within: ['legacy.fetch_project_hi', 'legacy.fetch_lead_hi'],
    when: (asked) => at('fetch_project_hi')(asked) && asked.query.has('id'),
    ask: (() => {
      let seen: string | null = null
      return ({ query }) => {
        seen ??= query.get('id')!
        query.set('id', seen)
      }
    })(),
  },
  {
    name: 'a list needs no key',
    fails: ['legacy.keys.absent.fetch_all_adders'],
    within: ['legacy.keys', 'legacy.errors'],
    when: (asked) => at('fetch_all_adders')(asked) && asked.key === null,
    ask: (asked) => {
      asked.key = keys.installer
    },
  },
  {
    name: 'a list counts wrongly',
    fails: ['legacy.fetch_all_lead.envelope'],
    within: ['legacy.fetch_all_lead', 'legacy.fetch_all_project'],
    when: at('fetch_all_lead'),
    answer: ({ body }) => {
      if (body?.count) body.count++
    },
  },
  {
    name: 'solar projects are listed as HI ones',
    fails: ['legacy.lists.apart'],
    within: ['legacy.lists', 'legacy.fetch_all_project_installer_hi'],
    when: (asked) =>
      at('fetch_all_project_installer_hi')(asked) &&
      asked.query.has('installer_id') &&
      asked.query.get('page') === '1',
    ask: (asked) => {
      asked.path = '/legacy/fetch_all_project_installer'
    },
  },
  {
    name: 'a stage move does not say the new stage',
    fails: ['legacy.update_stage.answer'],
    within: ['legacy.update_stage', 'legacy.update_stage_hi'],
    when: at('update_stage'),
    answer: ({ body }) => void delete body?.data?.new_status,
  },
  {
    name: 'a page begins with the last row of the page before',
    fails: ['legacy.fetch_all_lead_installer.pages'],
    within: ['legacy.fetch_all_lead_installer'],
    when: at('fetch_all_lead_installer'),
    answer: (() => {
      let last: unknown
      return ({ body }, { query }) => {
        const rows = body?.data ?? []
        if (query.get('page') === '1') last = rows.at(-1)
        if (query.get('page') === '2' && rows.length > 0) rows[0] = last
      }
    })(),
  },
]
