import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { describeToPerson } from '../../src/api/console/describe-error.ts'
import { DomainError } from '../../src/domain/kernel/domain-error.ts'
import { catalogue } from '../../web/texts/en/catalogue.ts'
import { leads } from '../../web/texts/en/leads.ts'
import { project as projects } from '../../web/texts/en/project.ts'
import { type App, startApp } from '../support/app.ts'
import { consoleRoutes, type Ids, type Seat } from '../support/console-routes.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { plan, site } from '../support/invoices.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { webhookIn } from '../support/watched.ts'

/** A name as programs write it. */
const rawName =
  /\b[a-z]+[A-Z]\w*|\b[a-z]+_[a-z_]+\b|\b\w+\[\d+\]|\bmust be one of\b|\bor null\b|\bas a text\b/

describe('what is wrong, in the console’s own words', () => {
  let app: App
  let world: World
  let owner: Awaited<ReturnType<typeof signedIn>>

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await signedIn(app, await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner'))
  })

  async function messageOf(method: string, path: string, body: unknown): Promise<string> {
    const answer = await owner.call(method as 'POST', path, { body })
    assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${path} ${answer.text}`)
    return answer.body.error.message
  }

  test('fields are called as their forms label them', async () => {
    const { projectId, leadId } = await project(world.installer, { firstName: 'Ada', lastName: 'Words' })
    const path = `/projects/${projectId}`
    const financing = { aprPercent: 'five', termMonths: 0, monthlyPayment: '1.234' }
    const message = await messageOf('PATCH', path, { contractPrice: 'much', financing })
    for (const label of [projects.price, 'APR', 'Term', projects.monthlyPayment])
      assert.ok(message.includes(`${label} must be `), `${label}: ${message}`)
    assert.match(message, /APR must be a percentage such as 5\.99/)
    assert.match(await messageOf('PATCH', path, { siteSurveyorId: 'nobody' }), /^Site surveyor: /)
    assert.equal(
      await messageOf('PATCH', `/leads/${leadId}`, { email: 'no', address: { postalCode: '' } }),
      `${leads.email} must be an email address, such as ada@example.com; ${leads.postalCode} must not be empty.`,
    )
    const watts = { kind: 'panel', manufacturer: 'Helianth', watts: '400', efficiencyPercent: '101' }
    assert.match(await messageOf('POST', '/equipment', watts), /^Efficiency must be at most 100/)
    assert.match(catalogue.measures.efficiencyPercent, /^Efficiency/)
    const retained = { unsoldMonths: 0, mailMonths: 1.5, requestDays: 15 }
    assert.equal(
      await messageOf('POST', '/retention/preview', retained),
      'Unsold leads must be a whole number from 1 to 240; Emails must be a whole number from 1 to 240; API requests must be a whole number from 1 to 14.',
    )
    const tiers = [{ from: '0', unitPrice: 'x' }]
    const adder = { name: 'Guard', productLine: 'solar', unit: 'each', unitPrice: '1', tiers }
    assert.match(await messageOf('POST', '/adders', adder), /^Unit price of tier 1 must be a number/)
    const body = { ...adder, tiers: [{ from: '0', unitPrice: '1' }] }
    assert.match(await messageOf('POST', '/adders', body), /^Price tiers: each begins above 0/)
  })

  test('nothing that only a program could do about it', async () => {
    assert.equal(
      await messageOf('PATCH', '/leads/lead_none000000', { phone: '1' }),
      'This lead isn’t here anymore, or you can’t see it.',
    )
    // What no form sends comes from a page of before.
    const leadId = await lead(world.installer)
    assert.match(await messageOf('PATCH', `/leads/${leadId}`, { colour: 'red' }), /out of date\. Reload/)
    const { webhookId } = await webhookIn(app.database, world.installer)
    assert.equal((await owner.call('POST', `/webhooks/${webhookId}/disable`)).status, 200)
    const since = { since: '2026-01-01T00:00:00Z' }
    assert.equal(
      await messageOf('POST', `/webhooks/${webhookId}/redeliver`, since),
      'The endpoint is disabled. Turn it on first.',
    )
    // A file is called what it is called, whatever that looks like.
    const { projectId } = await project(world.installer)
    const sent = await app.send(
      'PUT',
      `/console/api/projects/${projectId}/files?folder=siteSurvey&name=sizeKw.jpg`,
      {
        raw: Buffer.from('no picture'),
        headers: { cookie: owner.cookie, 'x-sunstead-console': '1' },
      },
    )
    assert.ok(sent.status < 400 || sent.body.error.message.includes('sizeKw.jpg'), sent.text)
  })

  /** Every body that the console takes, with each of its fields made wrong in turn. */
  test('no route names a field as programs do', async () => {
    const home = await site(app.database, world.installer)
    await plan(world.installer, home)
    const { projectId, leadId } = await project(world.installer)
    const { webhookId } = await webhookIn(app.database, world.installer)
    const ids = new Proxy(
      { leadId, projectId, webhookId, installationId: home, billedId: home, ladder: [] },
      {
        get: (known, name) => (known as Record<string | symbol, unknown>)[name] ?? 'none_000000000',
      },
    ) as unknown as Ids
    const seat = { company: 'installer', role: 'owner', id: 'memb_none000000' } as Seat
    let seen = 0
    for (const [route, { body, id, open }] of Object.entries(consoleRoutes)) {
      const [method, pattern] = route.split(' ') as [string, string]
      if (body === undefined || open || pattern.startsWith('/account')) continue
      const right = (typeof body === 'function' ? body(ids, seat) : body) as Record<string, unknown>
      const path = pattern.replace(':id', String(id ? ids[id] : 'none')).replace(/:\w+/, 'none')
      for (const wrong of wrongs(right)) {
        const answer = await owner.call(method as 'POST', path, { body: wrong })
        if (answer.status !== 400) continue
        seen++
        const { message } = answer.body.error
        assert.doesNotMatch(message, rawName, `${route} ${JSON.stringify(wrong)}`)
        assert.match(message, /^[A-Z“]/, `${route}: ${message}`)
      }
    }
    assert.ok(seen > 150, `${seen} refusals`)
  })
})

/** The body with one of its values wrong: absent, of another type, too long, empty. */
function* wrongs(body: Record<string, unknown>): Generator<unknown> {
  for (const [name, value] of Object.entries(body)) {
    const { [name]: _left, ...others } = body
    yield others
    for (const wrong of [{ no: 1 }, 'x'.repeat(30_000), '', -1]) yield { ...body, [name]: wrong }
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      for (const inner of wrongs(value as Record<string, unknown>)) yield { ...body, [name]: inner }
    if (Array.isArray(value) && value[0] && typeof value[0] === 'object')
      for (const inner of wrongs(value[0] as Record<string, unknown>)) yield { ...body, [name]: [inner] }
  }
}

test('days in what is refused are written as people write them, but not those that show how to write one, and files keep their names', () => {
  const told = (message: string) => describeToPerson(new DomainError('invalid', message), message)
  assert.equal(
    told('start_date: the plan has billed until 2026-01-31.'),
    'Start date: the plan has billed until Jan 31, 2026.',
  )
  assert.match(told('install_date must be a day, such as 2026-03-04.'), /such as 2026-03-04\.$/)
  assert.match(told('The file 2026-99-99 is empty.'), /2026-99-99/)
  assert.equal(told('notes.csv has no rows.'), 'notes.csv has no rows.')
})
