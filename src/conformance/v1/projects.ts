import {
  expectEqual,
  expectError,
  expectInvalid,
  expectMissing,
  expectShape,
  expectStatus,
} from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { at, boolean } from '../shape.ts'
import { ownProject, type Row, readProject, rows, unknownId } from './records.ts'

const day = '2031-05-14'

const change = async (kit: Kit, body: Row) =>
  kit.installer.patch(`/projects/${(await ownProject(kit)).id}`, body)

/** Brings it to a value first, whatever it was, and then changes it. */
async function changed(kit: Kit, from: Row, to: Row, expected: boolean): Promise<void> {
  await change(kit, from)
  const answer = await change(kit, to)
  expectStatus(answer, 200)
  expectShape(answer, boolean, 'changed')
  expectEqual(at(answer.json, 'changed'), expected, 'changed')
}

async function days(kit: Kit): Promise<unknown[]> {
  const project = await readProject(kit, (await ownProject(kit)).id)
  return Object.values((project['milestones'] as object) ?? {})
}

const refused = (name: string, says: string, body: Row): Rule => ({
  id: `v1.projects.change.${name}`,
  says,
  check: async (kit) => expectInvalid(await change(kit, body)),
})

const anyProject = async (kit: Kit): Promise<Row> =>
  (await need('a project', rows(kit, '/projects?limit=100')))[0] ??
  notApplicable('the server has no projects')

export const projectRules: Rule[] = [
  {
    id: 'v1.projects.read.status',
    says: 'A project is read by its id: 200.',
    async check(kit) {
      const { id } = await anyProject(kit)
      const answer = await kit.installer.get(`/projects/${id}`)
      expectStatus(answer, 200)
      expectEqual(at(answer.json, 'id'), id, 'id')
    },
  },
  {
    id: 'v1.projects.read.by-lead',
    says: 'A project also answers to the id of its lead.',
    async check(kit) {
      const { id, leadId } = await anyProject(kit)
      expectEqual((await readProject(kit, String(leadId)))['id'], id, 'id')
    },
  },
  {
    id: 'v1.projects.read.by-reference',
    says: 'A project also answers to its reference.',
    async check(kit) {
      const listed = (await need('projects', rows(kit, '/projects?limit=100'))).find(
        (row) => row['reference'],
      )
      // The legacy interface gives projects one.
      const canCreate = kit.target.orgId !== null && !kit.readOnly
      const found = listed ?? (canCreate ? await readProject(kit, (await ownProject(kit)).id) : {})
      if (!found['reference']) notApplicable('no project of the newest 100 has a reference')
      expectEqual((await readProject(kit, String(found['reference'])))['id'], found['id'], 'id')
    },
  },
  {
    id: 'v1.projects.read.lead',
    says: "A project's `leadId` is a lead whose `project` is that project.",
    async check(kit) {
      const { id, leadId } = await anyProject(kit)
      const answer = await kit.installer.get(`/leads/${leadId}`)
      expectStatus(answer, 200)
      expectEqual(at(answer.json, 'project.id'), id, 'project.id of the lead')
    },
  },
  {
    id: 'v1.projects.read.missing',
    says: 'An id that no project has answers 404 `not_found`.',
    check: async (kit) => expectMissing(await kit.installer.get(`/projects/${unknownId}`)),
  },
  {
    id: 'v1.projects.change.install-date.set',
    says: 'A new `installDate` is answered `changed: true`.',
    check: (kit) => changed(kit, { installDate: null }, { installDate: day }, true),
  },
  {
    id: 'v1.projects.change.install-date.milestone',
    says: 'The `installDate` is a day of the milestones.',
    async check(kit) {
      await change(kit, { installDate: '2031-06-15' })
      if (!(await days(kit)).includes('2031-06-15')) fail('no milestone has that day')
    },
  },
  {
    id: 'v1.projects.change.install-date.key',
    says: 'The milestone of the `installDate` is `installScheduled`.',
    decision: true,
    async check(kit) {
      await change(kit, { installDate: '2031-07-16' })
      const project = await readProject(kit, (await ownProject(kit)).id)
      expectEqual(at(project, 'milestones.installScheduled'), '2031-07-16', 'milestones.installScheduled')
    },
  },
  {
    id: 'v1.projects.change.install-date.same',
    says: 'The `installDate` that is there already changes nothing: `changed: false`.',
    check: (kit) => changed(kit, { installDate: day }, { installDate: day }, false),
  },
  {
    id: 'v1.projects.change.install-date.clear',
    says: '`installDate: null` clears it.',
    async check(kit) {
      await changed(kit, { installDate: '2031-08-17' }, { installDate: null }, true)
      if ((await days(kit)).includes('2031-08-17')) fail('a milestone still has that day')
    },
  },
  refused('install-date.form', 'An `installDate` in another form is 400 `invalid`.', {
    installDate: '05/14/2031',
  }),
  refused('install-date.day', 'An `installDate` that there is not is 400 `invalid`.', {
    installDate: '2031-02-30',
  }),
  refused('install-date.type', 'An `installDate` of another type is 400 `invalid`.', {
    installDate: 20310514,
  }),
  refused('ntp.type', 'An `ntpGranted` that is no boolean is 400 `invalid`.', { ntpGranted: 'yes' }),
  {
    id: 'v1.projects.change.ntp.set',
    says: '`ntpGranted` takes the value, and the answer is `changed: true`.',
    async check(kit) {
      await changed(kit, { ntpGranted: false }, { ntpGranted: true }, true)
      expectEqual((await readProject(kit, (await ownProject(kit)).id))['ntpGranted'], true, 'ntpGranted')
    },
  },
  {
    id: 'v1.projects.change.ntp.same',
    says: 'The `ntpGranted` that is there already changes nothing: `changed: false`.',
    check: (kit) => changed(kit, { ntpGranted: true }, { ntpGranted: true }, false),
  },
  {
    id: 'v1.projects.change.nothing',
    says: 'No field is required: a change of nothing is 200 and `changed: false`.',
    check: (kit) => changed(kit, {}, {}, false),
  },
  {
    id: 'v1.projects.change.absent-kept',
    says: 'A field that is absent is kept.',
    async check(kit) {
      await change(kit, { installDate: '2031-09-18', ntpGranted: false })
      await change(kit, { ntpGranted: true })
      if (!(await days(kit)).includes('2031-09-18')) fail('the install date is gone')
    },
  },
  {
    id: 'v1.projects.change.missing',
    says: 'A change of a project that there is not answers 404 `not_found`.',
    check: async (kit) =>
      expectMissing(await kit.installer.patch(`/projects/${unknownId}`, { ntpGranted: true })),
  },
  {
    id: 'v1.projects.change.updated-at',
    says: 'A change moves the project to the top of the list; one that changes nothing does not move `updatedAt`.',
    decision: true,
    async check(kit) {
      const { id } = await ownProject(kit)
      await change(kit, { installDate: null })
      await change(kit, { installDate: day })
      const before = (await readProject(kit, id))['updatedAt']
      await change(kit, { installDate: day })
      expectEqual((await readProject(kit, id))['updatedAt'], before, 'updatedAt')
    },
  },
  {
    id: 'v1.projects.change.dealer',
    says: "Only an installer's key may change a project: a dealer is refused, and nothing changes.",
    async check(kit) {
      const mine = (await need('a list', kit.dealer.get('/projects?limit=1'))).json
      const id = at(mine, 'data.0.id')
      if (typeof id !== 'string') notApplicable('the dealer has no projects')
      const before = await readProject(kit, id)
      const answer = await kit.dealer.patch(`/projects/${id}`, { ntpGranted: !before['ntpGranted'] })
      const { ntpGranted } = await readProject(kit, id)
      if (ntpGranted !== before['ntpGranted'])
        await kit.installer.patch(`/projects/${id}`, { ntpGranted: before['ntpGranted'] })
      if (answer.status < 400) fail(`${answer.what} → ${answer.status}`)
      expectEqual(ntpGranted, before['ntpGranted'], 'ntpGranted')
    },
  },
  {
    id: 'v1.projects.change.dealer.status',
    says: "A dealer's change of a project answers 403 `forbidden`.",
    decision: true,
    async check(kit) {
      const id = at((await need('a list', kit.dealer.get('/projects?limit=1'))).json, 'data.0.id')
      if (typeof id !== 'string') notApplicable('the dealer has no projects')
      const { ntpGranted } = await readProject(kit, id)
      expectError(await kit.dealer.patch(`/projects/${id}`, { ntpGranted }), 403, 'forbidden')
    },
  },
]
