import { expectEqual, expectInvalid, expectMissing, expectShape, expectStatus, told } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { at, boolean, record, text } from '../shape.ts'
import { ownProject, readProject, rows, unknownId } from './records.ts'

/** Those of the ladder that an installer begins with, by decision. */
const usual = ['Sold', 'Site Survey', 'Design', 'Permitting', 'NTP']
const noStage = 'Conformance no such stage'

const move = async (kit: Kit, stage: unknown, id?: string) =>
  kit.installer.post(`/projects/${id ?? (await ownProject(kit)).id}/stage`, { stage })

const refusal = (kit: Kit) => kit.once('v1 refused stage', () => move(kit, noStage))

/** The name of the stage that the project is in. */
async function current(kit: Kit): Promise<string> {
  const name = at(await readProject(kit, (await ownProject(kit)).id), 'stage.name')
  return typeof name === 'string' ? name : notApplicable('the project is in no stage')
}

/** Another one of the ladder: seen in other projects or usual, and listed where a move is refused. */
async function another(kit: Kit): Promise<string> {
  const message = String(at((await need('the ladder', refusal(kit))).json, 'error.message'))
  const seen = await need('projects', rows(kit, '/projects?limit=100&productLine=solar'))
  const names = [...seen.map((row) => at(row, 'stage.name')), ...usual]
  const now = await current(kit)
  const found = names.find((name) => typeof name === 'string' && name !== now && message.includes(name))
  return (found as string | undefined) ?? notApplicable('no other stage of the ladder is known by its name')
}

export const stageRules: Rule[] = [
  {
    id: 'v1.stage.move',
    says: 'A project moves to the named stage: 200 with `changed: true`.',
    async check(kit) {
      const answer = await move(kit, await another(kit))
      expectStatus(answer, 200)
      expectShape(answer, record({ changed: boolean, stage: text }))
      expectEqual(at(answer.json, 'changed'), true, 'changed')
    },
  },
  {
    id: 'v1.stage.move.read',
    says: 'After a move the project is in the named stage, entered then.',
    async check(kit) {
      const { id } = await ownProject(kit)
      const before = await readProject(kit, id)
      const stage = await another(kit)
      await move(kit, stage)
      const after = await readProject(kit, id)
      expectEqual(at(after, 'stage.name'), stage, 'stage.name')
      const entered = (project: unknown) => Date.parse(String(at(project, 'stage.enteredAt')))
      if (!(entered(after) >= entered(before))) fail('stage.enteredAt did not move on')
    },
  },
  {
    id: 'v1.stage.case',
    says: 'The case of a stage does not matter, and the answer has the name as the ladder shows it.',
    async check(kit) {
      const stage = await another(kit)
      const swapped = stage === stage.toUpperCase() ? stage.toLowerCase() : stage.toUpperCase()
      const answer = await move(kit, swapped)
      expectStatus(answer, 200)
      expectEqual(at(answer.json, 'stage'), stage, 'stage')
    },
  },
  {
    id: 'v1.stage.same',
    says: 'A move to the stage that it is in changes nothing: 200 with `changed: false`.',
    async check(kit) {
      const answer = await move(kit, await current(kit))
      expectStatus(answer, 200)
      expectEqual(at(answer.json, 'changed'), false, 'changed')
    },
  },
  {
    id: 'v1.stage.unknown',
    says: 'A stage that the ladder does not have is 400 `invalid`, and the project stays where it is.',
    async check(kit) {
      const before = await current(kit)
      expectInvalid(await refusal(kit))
      expectEqual(await current(kit), before, 'the stage')
    },
  },
  {
    id: 'v1.stage.unknown.ladder',
    says: "The message of a refused move lists the ladder's stages.",
    async check(kit) {
      const answer = await refusal(kit)
      if (!String(at(answer.json, 'error.message')).includes(await current(kit)))
        fail(`${told(answer)}; the stage that the project is in is not listed`)
    },
  },
  ...[undefined, 5, null].map(
    (stage, i): Rule => ({
      id: `v1.stage.body.${['absent', 'number', 'null'][i]}`,
      says: `A move whose \`stage\` is ${['absent', 'a number', 'null'][i]} is 400 \`invalid\`.`,
      check: async (kit) => expectInvalid(await move(kit, stage)),
    }),
  ),
  {
    id: 'v1.stage.missing',
    says: 'A move of a project that there is not answers 404 `not_found`.',
    check: async (kit) => expectMissing(await move(kit, 'Sold', unknownId)),
  },
  {
    id: 'v1.stage.dealer',
    says: "A dealer's move is 400 `invalid` with the ladder listed, and the project stays where it is.",
    async check(kit) {
      const list = await need('a list', kit.dealer.get('/projects?limit=1'))
      const id = at(list.json, 'data.0.id')
      const stage = at(list.json, 'data.0.stage.name')
      if (typeof id !== 'string' || typeof stage !== 'string')
        notApplicable('the dealer has no project in a stage')
      const answer = await kit.dealer.post(`/projects/${id}/stage`, { stage })
      expectInvalid(answer)
      if (!String(at(answer.json, 'error.message')).includes(stage))
        fail(`${told(answer)}; the ladder is not listed`)
      expectEqual(at(await readProject(kit, id), 'stage.name'), stage, 'stage.name')
    },
  },
]
