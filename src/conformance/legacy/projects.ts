import { expectEqual, expectShape, expectStatus } from '../expect.ts'
import type { Kit } from '../kit.ts'
import type { Rule } from '../rule.ts'
import { record, text } from '../shape.ts'
import { ownProject, projectBody, readProject } from '../v1/records.ts'
import { told } from './lines.ts'
import { expectLegacyError, expectRefused, orgId, projectData } from './records.ts'

const created = (kit: Kit) =>
  kit.once('legacy project', () =>
    kit.legacy.post('/create_project', projectBody(kit, decodeURIComponent(orgId(kit)))),
  )

const required = Object.keys(projectBody({ mark: '' } as Kit, ''))

/** What was sent, and as what it reads. */
const kept: [sent: string, field: string, value: string][] = [
  ['first_name', 'customerFirstName', 'Conformance'],
  ['email', 'customerEmail', 'conformance@example.com'],
  ['phone_number', 'customerPhoneNumber', '619 555 0100'],
  ['system_size', 'systemSize', '8.4'],
  ['annual_production', 'estProduction', '12650.5'],
  ['base_ppw', 'basePPW', '2.95'],
  ['final_ppw', 'finalPPW', '3.42'],
]

export const legacyCreateProjectRules: Rule[] = [
  {
    id: 'legacy.create_project.answer',
    says: '`create_project` answers 200 with `data.project_id` and `data.lead_id`.',
    decision: true,
    async check(kit) {
      const answer = await created(kit)
      expectStatus(answer, 200)
      expectShape(answer, told)
      expectShape(answer, record({ project_id: text, lead_id: text }), 'data')
    },
  },
  ...required.map(
    (field): Rule => ({
      id: `legacy.create_project.required.${field}`,
      says: `\`create_project\` needs \`${field}\`.`,
      async check(kit) {
        const body = { ...projectBody(kit, decodeURIComponent(orgId(kit))), [field]: undefined }
        expectRefused(await kit.legacy.post('/create_project', body))
      },
    }),
  ),
  {
    id: 'legacy.create_project.type',
    says: '`create_project` refuses a number that is none.',
    check: async (kit) =>
      expectRefused(
        await kit.legacy.post('/create_project', {
          ...projectBody(kit, decodeURIComponent(orgId(kit))),
          system_size: { kw: 8 },
        }),
      ),
  },
  ...kept.map(
    ([sent, field, value]): Rule => ({
      id: `legacy.create_project.kept.${sent}`,
      says: `The \`${sent}\` of a created project reads back as \`${field}\`.`,
      async check(kit) {
        const { id } = await ownProject(kit)
        expectEqual((await projectData(kit, `/fetch_project?id=${id}`))[field], value, field)
      },
    }),
  ),
  {
    id: 'legacy.create_project.kept.system_cost',
    says: 'The `system_cost` of a created project is its `contractPrice`, written with thousands separators.',
    decision: true,
    async check(kit) {
      const { id } = await ownProject(kit)
      expectEqual(
        (await projectData(kit, `/fetch_project?id=${id}`))['contractPrice'],
        '28,728.50',
        'contractPrice',
      )
    },
  },
  {
    id: 'legacy.create_project.in-v1',
    says: 'A created project is in the company-key API at once.',
    decision: true,
    check: async (kit) =>
      expectEqual(
        (await readProject(kit, (await ownProject(kit)).id))['productLine'],
        'solar',
        'productLine',
      ),
  },
  {
    id: 'legacy.create_project.unknown-stage',
    says: '`create_project` with a stage that there is not is 400.',
    decision: true,
    check: async (kit) =>
      expectLegacyError(
        await kit.legacy.post('/create_project', {
          ...projectBody(kit, decodeURIComponent(orgId(kit))),
          project_stage: 'Conformance no such stage',
        }),
        400,
        'invalid',
      ),
  },
]
