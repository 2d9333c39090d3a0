import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, startApp } from '../../support/app.ts'
import { createWorld, keyFor, lead } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import {
  asCall,
  goodValues,
  type LegacyOperation,
  legacyOperations,
  type Place,
  placesOf,
  requiredFields,
  sayable,
  stockOf,
} from '../../support/legacy-operations.ts'
import { png } from '../../support/sample-files.ts'

const outside = await startHttpsServer((_request, response) => response.end(png))
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca },
})
after(() => outside.close())
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other, otherDealer } = world
const stock = await stockOf(world, `${outside.url}/roof.png`)
const places = {
  installer: await placesOf(installer, installer),
  dealer: await placesOf(dealer, installer),
  sister: await placesOf(sister, installer),
  other: await placesOf(other, other),
}
const unsold = {
  solar: await lead(installer, { reference: 'UnsoldSol1' }),
  hi: await lead(installer, { productLine: 'hi', reference: 'UnsoldHi01' }),
}
const readOnly = (await keyFor(world, installer, { access: 'read' })).secret
const elsewhere = (await keyFor(world, installer, { interfaces: ['company', 'catalog'] })).secret
const legacyOnly = (await keyFor(world, installer, { interfaces: ['legacy'] })).secret
const unknownKey = 'psk_0000000000000000000000000000000000000000'

type Values = Record<string, unknown>

async function send(operation: LegacyOperation, values: Values, key?: string): Promise<Answer> {
  const { path, body } = asCall(operation, values)
  return app.call(operation.method, path, {
    ...(key === undefined ? {} : { key }),
    ...(body === undefined ? {} : { body }),
  })
}

/** A refusal is its status, its code, its message and the fields at fault, and nothing else; `app.call` looks at their forms. */
function refused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  const { message, fields: _fields, ...rest } = answer.body
  assert.deepEqual(rest, { success: false, code })
  assert.equal(typeof message, 'string')
}

function invalid(answer: Answer, fields: string[], others: string[] = []): void {
  refused(answer, 400, 'invalid')
  const named = (field: string) => new RegExp(`(^|; )${field}\\b`).test(answer.body.message)
  for (const field of fields) assert.ok(named(field), `${field} is not named: ${answer.text}`)
  for (const field of others) assert.ok(!named(field), `${field} is named: ${answer.text}`)
}

/** Ids that nobody has, and texts that are no ids: of no kind can it be told which. */
function strangers(kind: string, { line }: LegacyOperation): unknown[] {
  const { installer: mine, dealer: sold, other: foreign } = places
  const own = mine[line]
  const nonsense = [
    'nonsense!',
    "x' or 1=1--",
    '%',
    '../..',
    '🌞',
    'undefined',
    'null',
    '-1',
    'a'.repeat(3000),
    '*',
  ]
  if (kind === 'company') {
    const numbers = [own.orgId + 900_000, '0', 99_999_999_999, 1e300, -1, `${own.orgId}.5`, `${own.orgId}x`]
    return [...nonsense, ...numbers, installer.company.id, own.leadReference]
  }
  if (kind === 'installer') {
    const near = [installer.company.id.toUpperCase(), installer.company.id.slice(0, -1), `${own.orgId}0000`]
    return [
      ...nonsense,
      ...near,
      dealer.company.id,
      dealer.company.number,
      0,
      99_999_999_999,
      -1,
      own.projectId,
    ]
  }
  const unknown = ['Unknown001', 'lead_00000000000000000000000000', 'proj_00000000000000000000000000']
  const near = [own.leadId.toUpperCase(), own.leadId.slice(0, -1), `${own.leadReference}x`, 'lead_', 'proj_']
  const none =
    kind === 'lead'
      ? [own.projectId, own.projectReference, sold[line].projectReference]
      : [unsold[line], line === 'solar' ? 'UnsoldSol1' : 'UnsoldHi01']
  return [...nonsense, ...unknown, ...near, ...none, foreign[line].leadReference.toLowerCase()]
}

/** The id of another place in this field, the other fields as they are. */
const pointedAt = (operation: LegacyOperation, field: string, at: Place) =>
  operation.fields[field]!.good(at, stock).map((id) => ({
    ...goodValues(operation, places.installer[operation.line], stock),
    [field]: id,
  }))

for (const operation of legacyOperations) {
  const { method, path, line, fields } = operation
  const name = `${method} ${path}${path.endsWith('update_lead') ? ` (${line})` : ''}`
  const own = places.installer[line]
  const good = (place = own) => goodValues(operation, place, stock)
  const required = requiredFields(operation)
  const all = Object.keys(fields)
  const ids = all.filter((field) => fields[field]!.names)
  const bySeller = ids.filter((field) => fields[field]!.names !== 'installer')
  const writes = method === 'POST'

  /** What an unknown id is answered, byte for byte. */
  const notFound = async (field: string) => {
    const answer = await send(operation, { ...good(), [field]: 'Unknown000' }, installer.key)
    refused(answer, 404, 'not_found')
    return answer.text
  }
  const sameNotFound = async (field: string, values: Values, key: string) => {
    const answer = await send(operation, values, key)
    refused(answer, 404, 'not_found')
    assert.equal(answer.text, await notFound(field))
  }

  test(`${name}: the required fields are enough`, async () => {
    for (const key of [installer.key, legacyOnly])
      assert.equal((await send(operation, good(), key)).status, 200)
    const ofDealer = await send(operation, good(places.dealer[line]), installer.key)
    assert.equal(ofDealer.status, 200, ofDealer.text)
  })

  test(`${name}: all fields together, and each good value, are taken`, async () => {
    const every = goodValues(operation, own, stock, all)
    const answer = await send(operation, every, installer.key)
    assert.equal(answer.status, 200, answer.text)
    for (const field of all) {
      for (const value of fields[field]!.good(own, stock).slice(1)) {
        const { status, text } = await send(operation, { ...good(), [field]: value }, installer.key)
        assert.equal(status, 200, `${field} ${JSON.stringify(value)}: ${text}`)
      }
    }
  })

  for (const field of required) {
    test(`${name}: without ${field} it is 400 naming it`, async () => {
      const { [field]: _, ...rest } = good()
      const others = required.filter((one) => one !== field)
      invalid(await send(operation, rest, installer.key), [field], others)
    })
  }

  for (const field of all) {
    test(`${name}: a wrong ${field} is 400 naming it`, async () => {
      for (const value of fields[field]!.wrong.filter((one) => sayable(operation, one))) {
        const answer = await send(operation, { ...good(), [field]: value }, installer.key)
        const others = required.filter((one) => one !== field)
        assert.equal(answer.status, 400, `${field} ${JSON.stringify(value)}: ${answer.text}`)
        invalid(answer, [field], others)
      }
    })
  }

  test(`${name}: everything that is missing and wrong is named at once`, async () => {
    if (required.length > 0) {
      invalid(await send(operation, {}, installer.key), required)
      if (operation.in === 'body') invalid(await app.call('POST', path, { key: installer.key }), required)
    }
    const wrong = (names: string[]): Values =>
      Object.fromEntries(
        names.map((one) => [one, fields[one]!.wrong.find((value) => sayable(operation, value))]),
      )
    invalid(await send(operation, wrong(all), installer.key), all)
    const some = all.filter((one, i) => i % 2 === 0 || fields[one]!.optional)
    const named = [...some, ...required.filter((one) => !some.includes(one))]
    invalid(await send(operation, wrong(some), installer.key), named)
  })

  for (const field of ids) {
    const kind = fields[field]!.names!

    test(`${name}: an unknown or malformed ${field} is the one 404`, async () => {
      for (const id of strangers(kind, operation)) {
        await sameNotFound(field, { ...good(), [field]: id }, installer.key)
      }
    })

    test(`${name}: a foreign ${field} is the one 404, to the installer and to the dealer`, async () => {
      for (const values of pointedAt(operation, field, places.other[line])) {
        await sameNotFound(field, values, installer.key)
        await sameNotFound(field, { ...values, ...only(good(places.dealer[line]), field) }, dealer.key)
      }
    })

    test(`${name}: to a foreign tenant’s keys our ${field} is the one 404`, async () => {
      for (const key of [other.key, otherDealer.key]) {
        for (const values of pointedAt(operation, field, own)) {
          const theirs = only(good(places.other[line]), field)
          await sameNotFound(field, { ...values, ...theirs }, key)
        }
      }
    })

    if (kind === 'lead' || kind === 'project') {
      test(`${name}: ${field} of the other product line is the one 404`, async () => {
        const twin = line === 'solar' ? 'hi' : 'solar'
        for (const { [twin]: there } of [places.installer, places.dealer]) {
          for (const values of pointedAt(operation, field, there)) {
            await sameNotFound(field, values, installer.key)
          }
        }
        for (const values of pointedAt(operation, field, places.dealer[twin])) {
          await sameNotFound(field, values, dealer.key)
        }
      })
    }
  }

  test(`${name}: a dealer’s key is answered ${operation.dealer} about its own`, async () => {
    const answer = await send(operation, good(places.dealer[line]), dealer.key)
    if (operation.dealer === 200) assert.equal(answer.status, 200, answer.text)
    else refused(answer, 403, 'forbidden')
  })

  if (bySeller.length > 0) {
    test(`${name}: another company’s record is the one 404 to a dealer’s key`, async () => {
      for (const field of bySeller) {
        for (const { [line]: there } of [places.installer, places.sister]) {
          for (const values of pointedAt(operation, field, there)) {
            await sameNotFound(field, values, dealer.key)
          }
        }
      }
    })
  }

  test(`${name}: without a good key it is 401`, async () => {
    for (const key of [undefined, unknownKey]) {
      const answer = await send(operation, good(), key)
      refused(answer, 401, 'unauthorized')
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
    }
  })

  test(`${name}: a key that may only read is answered ${writes ? 403 : 200}`, async () => {
    const answer = await send(operation, good(), readOnly)
    if (writes) refused(answer, 403, 'forbidden')
    else assert.equal(answer.status, 200, answer.text)
  })

  test(`${name}: a key made for other interfaces is 403`, async () => {
    refused(await send(operation, good(), elsewhere), 403, 'forbidden')
  })
}

/** The other ids of a call, so that one field alone is the stranger. */
function only(values: Values, field: string): Values {
  const { [field]: _, ...others } = values
  return others
}

test('the table holds all 24 operations', () => {
  assert.equal(new Set(legacyOperations.map(({ method, path }) => `${method} ${path}`)).size, 24)
})

test('a stage that the ladder does not have is 400 with those it has', async () => {
  const ladders = {
    solar:
      '"Sold", "Site Survey", "Design", "Permitting", "NTP", "Install Scheduled", "Installed", "Inspection", "PTO", "Complete"',
    hi: '"Sold", "Measure", "Ordered", "Scheduled", "In Progress", "Punch List", "Complete"',
  }
  for (const operation of legacyOperations.filter(({ path }) => path.includes('update_stage'))) {
    const { line } = operation
    for (const stage of ['Nowhere', line === 'solar' ? 'Measure' : 'Design', "PTO'--"]) {
      const values = { ...goodValues(operation, places.installer[line], stock), project_stage_name: stage }
      const answer = await send(operation, values, installer.key)
      refused(answer, 400, 'invalid')
      assert.ok(answer.body.message.includes(ladders[line]), answer.text)
    }
  }
})
