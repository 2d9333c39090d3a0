import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { createWorld } from '../support/factories.ts'
import { addPerson, type Person, password, signedIn } from '../support/people.ts'

let app: App
let person: Person
let cookie: string

before(async () => {
  app = await startApp({ env: { BASE_URL: 'https://sun.example.com' } })
  const world = await createWorld(app.database.db)
  person = await addPerson(app, world.installer.company.id, 'owner')
  cookie = (await signedIn(app, person)).cookie
})

const evil = 'https://evil.example'

describe('what a page of another site can do', () => {
  test('sign nobody in or out: it can send no JSON without asking', async () => {
    const credentials = JSON.stringify({ email: person.email, password })
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await app.send('POST', '/console/auth/sign-in/email', {
        raw: credentials,
        headers: { 'content-type': type, origin: evil },
      })
      assert.equal(answer.status, 400, type)
      assert.equal(answer.headers['set-cookie'], undefined)
    }
    for (const path of ['sign-out', 'change-password', 'two-factor/disable']) {
      const answer = await app.send('POST', `/console/auth/${path}`, {
        body: { password, currentPassword: password, newPassword: 'another horse battery 79' },
        headers: { cookie, origin: evil },
      })
      assert.ok([400, 403].includes(answer.status), `${path} → ${answer.status}`)
    }
    assert.equal((await app.send('GET', '/console/api/session', { headers: { cookie } })).status, 200)
  })

  test('read nothing, as no answer says that it may', async () => {
    for (const [method, path] of [
      ['GET', '/console/api/session'],
      ['OPTIONS', '/console/api/session'],
      ['OPTIONS', '/v1/leads'],
      ['GET', '/v1/leads'],
    ] as const) {
      const { headers, status } = await app.send(method, path, {
        headers: { cookie, origin: evil, 'sec-fetch-site': 'cross-site' },
      })
      assert.ok(status >= 400, `${method} ${path}`)
      assert.ok(!Object.keys(headers).some((name) => name.startsWith('access-control-')), path)
    }
  })

  test('take no cookie, nor set it in the clear', async () => {
    const answer = await app.send('POST', '/console/auth/sign-in/email', {
      body: { email: person.email, password },
      headers: { origin: 'https://sun.example.com' },
    })
    assert.equal(answer.status, 200, answer.text)
    const cookies = [answer.headers['set-cookie'] ?? []].flat()
    assert.ok(cookies.length > 0)
    for (const one of cookies) {
      assert.match(one, /; HttpOnly/i)
      assert.match(one, /; SameSite=(Lax|Strict)/i)
      assert.match(one, /; Secure/i)
      assert.doesNotMatch(one, /; Domain=/i)
    }
  })

  test('lead no link elsewhere by the Host that it calls us by', async () => {
    const { request } = await import('undici')
    for (const host of ['evil.example', 'evil.example:443', 'sun.example.com@evil.example']) {
      const asked = await request(`${app.url}/console/auth/request-password-reset`, {
        method: 'POST',
        headers: { host, 'content-type': 'application/json', 'x-forwarded-host': 'evil.example' },
        body: JSON.stringify({ email: person.email }),
      })
      await asked.body.dump()
      const unknown = await request(`${app.url}/nothing`, { headers: { host } })
      assert.doesNotMatch(await unknown.body.text(), /evil/)
    }
    const mails = await app.database.rows<{ body: string }>(
      `select body from mails where subject = 'Choose a new password'`,
    )
    assert.ok(mails.every(({ body }) => !body.includes('evil')))
  })
})
