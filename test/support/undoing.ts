import { patchStage } from '../../src/domain/tenants/ladders/patch-stage.ts'
import { type App, startApp } from './app.ts'
import { type Actors, createWorld, type World } from './factories.ts'
import { addPerson, type Person, signedIn } from './people.ts'
import { webhookIn } from './watched.ts'

export interface Undoing {
  app: App
  world: World
  installer: Actors
  owner: Person
  /** The owner's console. */
  desk: Awaited<ReturnType<typeof signedIn>>
  setStage(name: string, change: object): Promise<void>
}

/** A server on which an owner moves and sells, with an endpoint that keeps all that it is told. */
export async function startUndoing(): Promise<Undoing> {
  const app = await startApp()
  const world = await createWorld(app.database.db)
  const { installer } = world
  const owner = await addPerson(app, installer.company.id, 'owner', 'Olga Owner')
  const desk = await signedIn(app, owner)
  await webhookIn(app.database, installer)
  await app.database.rows(`update webhooks set events = '{*}', status = 'disabled'`)
  await app.database.rows('update tenant_clocks set directory_version = directory_version + 1')
  const setStage = async (name: string, change: object) => {
    const [stage] = await app.database.rows<{ id: string }>(
      `select id from stages where installer_id = $1 and product_line = 'solar' and name = $2`,
      [installer.company.id, name],
    )
    await patchStage(world.db, new Date(), installer.company.id, stage!.id, change)
  }
  return { app, world, installer, owner, desk, setStage }
}

/** What a sale of so many panels says. */
export function saleOf({ panel, inverter }: Record<'panel' | 'inverter', { id: string }>, count: number) {
  return {
    system: { panels: { id: panel.id, count }, inverters: { id: inverter.id, count } },
    price: { custom: '20000.00' },
    financing: { type: 'cash' },
    contract: {
      signedOn: new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Denver' }).format(new Date()),
      price: '20000.00',
    },
  }
}
