import { expectShape, told } from '../expect.ts'
import { fail } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { boolean, filledText, record, text } from '../shape.ts'
import { expectLegacyError, expectRefused, read, unknownReference } from './records.ts'

const operations: [method: 'GET' | 'POST', name: string][] = [
  ['GET', 'fetch_project'],
  ['POST', 'create_project'],
  ['POST', 'update_stage'],
  ['POST', 'project_upload_file'],
  ['GET', 'fetch_all_project_installer'],
  ['GET', 'fetch_all_project'],
  ['POST', 'create_activity'],
  ['POST', 'create-lead'],
  ['POST', 'update_lead'],
  ['GET', 'fetch_lead'],
  ['GET', 'fetch_all_lead'],
  ['GET', 'fetch_all_lead_installer'],
  ['GET', 'fetch_all_panel'],
  ['GET', 'fetch_all_inverter'],
  ['GET', 'fetch_all_adders'],
  ['GET', 'fetch_project_hi'],
  ['GET', 'fetch_all_project_installer_hi'],
  ['GET', 'fetch_all_project_hi'],
  ['POST', 'update_stage_hi'],
  ['POST', 'project_upload_file_hi'],
  ['POST', 'create_activity_hi'],
  ['GET', 'fetch_lead_hi'],
  ['GET', 'fetch_all_lead_hi'],
  ['GET', 'fetch_all_lead_hi_installer'],
]

const missing = `/fetch_project?id=${unknownReference}`

export const legacyKeyRules: Rule[] = [
  ...operations.map(
    ([method, name]): Rule => ({
      id: `legacy.keys.absent.${name}`,
      says: `\`${name}\` needs a key: without one it is refused.`,
      async check(kit) {
        const body = method === 'GET' ? {} : { body: {} }
        expectRefused(await kit.legacy.call(method, `/${name}`, { authorization: null, ...body }))
      },
    }),
  ),
  {
    id: 'legacy.keys.wrong',
    says: 'A key that is nobody’s is refused.',
    check: async (kit) =>
      expectRefused(await kit.legacy.get(missing, { authorization: 'Bearer conformance' })),
  },
  {
    id: 'legacy.keys.status',
    says: 'Without a key the answer is 401 `unauthorized`.',
    decision: true,
    check: async (kit) =>
      expectLegacyError(await kit.legacy.get(missing, { authorization: null }), 401, 'unauthorized'),
  },
  {
    id: 'legacy.errors.json',
    says: 'A refusal is JSON too.',
    async check(kit) {
      const answer = await read(kit, missing)
      if (answer.json === undefined) fail(`${told(answer)}; expected JSON`)
    },
  },
  {
    id: 'legacy.errors.shape',
    says: 'A refusal is `{success: false, message, code}` by its real status.',
    decision: true,
    async check(kit) {
      const answer = await read(kit, missing)
      expectShape(answer, record({ success: boolean, message: filledText, code: text }))
      expectLegacyError(answer, 404, 'not_found')
    },
  },
]
