import { expectEqual, expectShape, expectStatus, textAt } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { at, record, text } from '../shape.ts'
import { activities, createLead, readProject, rows } from '../v1/records.ts'
import { type Line, lines, told } from './lines.ts'
import {
  expectLegacyError,
  expectRefused,
  hiProject,
  installerId,
  projectData,
  unknownReference,
} from './records.ts'

const move = (kit: Kit, { suffix }: Line, id: string, stage: string) =>
  kit.legacy.post(
    `/update_stage${suffix}?id=${encodeURIComponent(id)}&project_stage_name=${encodeURIComponent(stage)}`,
  )

/** A stage of the ladder other than the one that it is in, as seen in others or by decision usual. */
async function another(kit: Kit, line: Line, id: string): Promise<{ now: string; other: string }> {
  const now = textAt(await projectData(kit, `/fetch_project${line.suffix}?id=${id}`), 'projectStatus')
  const seen = await need(
    'projects',
    rows(kit, `/projects?limit=100&productLine=${line.suffix ? 'hi' : 'solar'}`),
  )
  const names = [
    ...seen.map((row) => at(row, 'stage.name')),
    ...(line.suffix ? ['Measure', 'Ordered'] : ['Design', 'Permitting']),
  ]
  const other = names.find((name) => typeof name === 'string' && name !== now) as string | undefined
  return { now, other: other ?? notApplicable('no other stage is known by its name') }
}

function stageRules(line: Line): Rule[] {
  const name = `update_stage${line.suffix}`
  return [
    {
      id: `legacy.${name}.answer`,
      says: `\`${name}\` answers \`{success: true, message, data: {project_id, new_status}}\`, and the project then reads so.`,
      async check(kit) {
        const id = await line.own(kit)
        const { now, other } = await another(kit, line, id)
        const answer = await move(kit, line, id, other)
        expectStatus(answer, 200)
        expectShape(answer, told)
        expectShape(answer, record({ project_id: text, new_status: text }), 'data')
        const { projectStatus } = await projectData(kit, `/fetch_project${line.suffix}?id=${id}`)
        await move(kit, line, id, now)
        expectEqual(projectStatus, other, 'projectStatus')
        expectEqual(at(answer.json, 'data.new_status'), other, 'data.new_status')
      },
    },
    {
      id: `legacy.${name}.unknown-stage`,
      says: `A stage that there is not is refused by \`${name}\`.`,
      check: async (kit) =>
        expectRefused(await move(kit, line, await line.own(kit), 'Conformance no such stage')),
    },
    {
      id: `legacy.${name}.missing`,
      says: `A project that there is not is refused by \`${name}\`.`,
      check: async (kit) => expectRefused(await move(kit, line, unknownReference, 'Sold')),
    },
    ...['id', 'project_stage_name'].map(
      (field): Rule => ({
        id: `legacy.${name}.required.${field}`,
        says: `\`${name}\` needs \`${field}\` in its query.`,
        async check(kit) {
          const query = field === 'id' ? 'project_stage_name=Sold' : `id=${await line.own(kit)}`
          expectRefused(await kit.legacy.post(`/${name}?${query}`))
        },
      }),
    ),
    {
      id: `legacy.${name}.dealer`,
      says: `\`${name}\` answers a dealer's key 403.`,
      decision: true,
      async check(kit) {
        const query = `limit=1&productLine=${line.suffix ? 'hi' : 'solar'}`
        const found = (await need('a list', kit.dealer.get(`/projects?${query}`))).json
        const id = at(found, 'data.0.id')
        const stage = at(found, 'data.0.stage.name')
        if (typeof id !== 'string') notApplicable('the dealer has no such project')
        const asked = `/${name}?id=${id}&project_stage_name=${encodeURIComponent(String(stage))}`
        expectLegacyError(await kit.legacyDealer.post(asked), 403, 'forbidden')
      },
    },
  ]
}

function noteRules(line: Line): Rule[] {
  const name = `create_activity${line.suffix}`
  const body = async (kit: Kit) => ({
    project_id: await line.own(kit),
    installer_id: decodeURIComponent(installerId(kit)),
    notes: `Note by ${name} of ${kit.mark}`,
  })
  const noted = (kit: Kit) =>
    kit.once(`legacy ${name}`, async () => kit.legacy.post(`/${name}`, await body(kit)))
  return [
    {
      id: `legacy.${name}.answer`,
      says: `\`${name}\` answers \`{success: true, message, data: {project_id, installer_id}}\`.`,
      async check(kit) {
        const answer = await noted(kit)
        expectStatus(answer, 200)
        expectShape(answer, told)
        expectShape(answer, record({ project_id: text, installer_id: text }), 'data')
      },
    },
    {
      id: `legacy.${name}.noted`,
      says: `What \`${name}\` notes is in the activity that /v1 shows.`,
      decision: true,
      async check(kit) {
        await noted(kit)
        const { leadId } = await readProject(kit, await line.own(kit))
        const { notes } = await body(kit)
        const feed = await activities(kit, String(leadId))
        if (!feed.some((one) => String(one['body']).includes(notes))) fail(`it is in none of ${feed.length}`)
      },
    },
    ...['project_id', 'installer_id', 'notes'].map(
      (field): Rule => ({
        id: `legacy.${name}.required.${field}`,
        says: `\`${name}\` needs \`${field}\`.`,
        check: async (kit) =>
          expectRefused(await kit.legacy.post(`/${name}`, { ...(await body(kit)), [field]: undefined })),
      }),
    ),
  ]
}

export const legacyChangeRules: Rule[] = [
  ...lines.flatMap(stageRules),
  ...lines.flatMap(noteRules),
  ...[
    ['fetch_project', 'a solar project'],
    ['fetch_project_hi', 'an HI project'],
    ['fetch_lead', 'a solar lead'],
    ['fetch_lead_hi', 'an HI lead'],
  ].flatMap(([name, what]): Rule[] => [
    {
      id: `legacy.${name}.missing`,
      says: `\`${name}\` of an id that there is not gives no record.`,
      check: async (kit) => expectRefused(await kit.legacy.get(`/${name}?id=${unknownReference}`)),
    },
    {
      id: `legacy.${name}.required`,
      says: `\`${name}\` needs \`id\` (${what}).`,
      check: async (kit) => expectRefused(await kit.legacy.get(`/${name}`)),
    },
  ]),
  {
    id: 'legacy.lines.solar-by-hi',
    says: 'An HI record is 404 to a solar operation.',
    decision: true,
    check: async (kit) =>
      expectLegacyError(await kit.legacy.get(`/fetch_project?id=${await hiProject(kit)}`), 404, 'not_found'),
  },
  {
    id: 'legacy.lines.hi-by-solar',
    says: 'A solar record is 404 to an HI operation.',
    decision: true,
    async check(kit) {
      const id = await kit.once('legacy solar lead', () => createLead(kit, kit.installer))
      expectLegacyError(await kit.legacy.get(`/fetch_lead_hi?id=${id}`), 404, 'not_found')
    },
  },
]
