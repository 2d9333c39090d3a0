import { writeNote } from '../../src/domain/deals/activities/write-note.ts'
import { deleteFile } from '../../src/domain/deals/files/delete-file.ts'
import { sellLead } from '../../src/domain/deals/sale/sell-lead.ts'
import { undoSale } from '../../src/domain/deals/sale/undo-sale.ts'
import { DomainError } from '../../src/domain/kernel/domain-error.ts'
import { patchStage } from '../../src/domain/tenants/ladders/patch-stage.ts'
import { DatabaseUnavailable } from '../../src/platform/database-errors.ts'
import type { AppWithFiles } from './app-with-files.ts'
import { type Actors, leadBody, project, solarSale, type World } from './factories.ts'

const stages = ['Site Survey', 'Design', 'Permitting', 'Installed', 'Inspection']

/** Says to those who read along when there may be more, so that they need not ask again and again. */
export interface Writing {
  wrote(): void
  end(): void
  isOver(): boolean
  more(): Promise<void>
}

export function createWriting(): Writing {
  let over = false
  let next = Promise.withResolvers<void>()
  const wrote = () => {
    next.resolve()
    if (!over) next = Promise.withResolvers<void>()
  }
  return {
    wrote,
    end() {
      over = true
      next.resolve()
    },
    isOver: () => over,
    more: () => next.promise,
  }
}

interface Busy extends Pick<AppWithFiles, 'app' | 'at'> {
  world: World
  turns: number
  /** Something may be new. */
  wrote(): void
}

/** What finds no connection on a busy machine is left out: nothing hangs on it. */
async function ifItCan(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
  }
}

async function onceItCan<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
  }
}

/** Several writers at once, of an installer and its dealer: everything that changes a lead or a project, by turns. */
export async function writeALot({ app, at, world, turns, wrote }: Busy): Promise<void> {
  const { installer, dealer } = world
  const send = async (method: string, path: string, body: object, of: Actors = installer) => {
    const answer = await app.call(method, path, { key: of.key, body })
    wrote()
    if (answer.status === 503) throw new DatabaseUnavailable(answer.text)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body
  }
  const writer = (of: Actors, n: number) => async () => {
    const deal = await onceItCan(() => project(of))
    for (let i = 0; i < turns; i++) await ifItCan(() => takeTurn(of, n, i, deal))
  }
  const takeTurn = async (of: Actors, n: number, i: number, deal: { leadId: string; projectId: string }) => {
    const { leadId } = await send('POST', '/v1/leads', { ...leadBody, firstName: `W${n}-${i}` }, of)
    await send('PATCH', `/v1/leads/${leadId}`, { notes: `Turn ${i} of ${n} 🐕` }, of)
    await send('POST', `/v1/projects/${deal.projectId}/stage`, { stage: stages[i % stages.length] })
    const internal = i % 3 === 0
    await writeNote(of.as(), { lead: i % 2 ? leadId : deal.leadId }, { body: `Note ${i}`, internal })
    await send('PATCH', `/v1/leads/${deal.leadId}`, { phone: `619 555 ${n}${i}` }, of)
    if (i % 3 === 0) await addAndDelete(deal.projectId, `${n}-${i}`)
    if (i % 4 === 0) await sellAndUndo(of, leadId)
  }
  const addAndDelete = async (projectId: string, name: string) => {
    const add = (folder: string, path: string) =>
      send('POST', `/v1/projects/${projectId}/files`, { folder, files: [{ url: at(path) }] })
    await add('planset', `/kept-${name}.pdf`)
    const { files } = await add('internal', `/gone-${name}.pdf`)
    await deleteFile(installer.as(), app.server.deps.copying.store, projectId, files[0].id)
  }
  const sellAndUndo = async (of: Actors, leadId: string) => {
    const { undoable } = await sellLead(of.as(), leadId, solarSale, { undoable: true })
    try {
      await undoSale(of.as(), leadId, undoable!.id)
    } catch (error) {
      // A stage was renamed meanwhile, which is work on the project.
      if (!(error instanceof DomainError)) throw error
    }
  }
  /** Whatever shows the stage is rendered anew. */
  const renamer = async () => {
    const [stage] = await app.database.rows<{ id: string }>(
      `select id from stages where installer_id = $1 and product_line = 'solar' and name = 'Sold'`,
      [installer.company.id],
    )
    for (let i = 0; i < turns / 3; i++) {
      for (const name of [`Sold ${i}`, 'Sold'])
        await ifItCan(() => patchStage(world.db, new Date(), installer.company.id, stage!.id, { name }))
    }
  }
  await Promise.all([writer(installer, 1)(), writer(dealer, 2)(), writer(installer, 3)(), renamer()])
}
