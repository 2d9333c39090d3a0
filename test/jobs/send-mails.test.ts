import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { moveStage } from '../../src/domain/deals/projects/move-stage.ts'
import { patchStage } from '../../src/domain/tenants/ladders/patch-stage.ts'
import { startApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWorld, member, project } from '../support/factories.ts'
import { mailSender } from '../support/mail-sender.ts'
import { startSmtpServer } from '../support/smtp-server.ts'

const database = await createTestDatabase()
const world = await createWorld(database.db)
const never = new AbortController().signal
after(() => database.drop())

async function stageId(name: string): Promise<string> {
  const [row] = await database.rows<{ id: string }>(
    `select id from stages where installer_id = $1 and product_line = 'solar' and name = $2`,
    [world.installer.company.id, name],
  )
  return row!.id
}

test('a stage’s alert and message go out by SMTP, once', async (t) => {
  const smtp = await startSmtpServer()
  t.after(smtp.close)
  const rep = await member(world, world.installer, 'Rosa Rep')
  await patchStage(database.db, new Date(), world.installer.company.id, await stageId('PTO'), {
    alerts: ['salesRep'],
    messages: [
      { subject: 'Hello {firstName}, you are in {stage}', body: 'From {company}. {unknown} stays.' },
    ],
  })
  const { projectId } = await project(world.installer, {
    firstName: 'Zoë',
    email: 'zoe@example.com',
    salesRepEmail: rep.email,
  })
  await moveStage(world.installer.as(), projectId, 'PTO')

  // Two senders at once, as two processes would be: each mail leaves once.
  const senders = [1, 2].map(() => mailSender(database.db, smtp.url))
  await Promise.all(senders.map((sender) => sender.sendDue(never)))
  const to = smtp.mails.map((mail) => mail.to).sort()
  assert.deepEqual(to, [rep.email, 'zoe@example.com'].sort())
  const mail = smtp.mails.find((m) => m.to === 'zoe@example.com')!
  assert.match(mail.data, /From: Sunstead <sun@example.com>/)
  assert.match(mail.data, /Subject: .*(Zo|=\?UTF-8)/)
  assert.match(mail.data, /From Sunrise Solar\. \{unknown\} stays\./)
  const states = await database.rows('select state, attempts, sent_at is not null as sent from mails')
  assert.deepEqual(states, [
    { state: 'sent', attempts: 1, sent: true },
    { state: 'sent', attempts: 1, sent: true },
  ])
  for (const sender of senders) sender.close()
})

test('a mail that is refused waits and is tried again; after the fifth time it has failed', async (t) => {
  const smtp = await startSmtpServer({ recipient: () => '451 try later' })
  t.after(smtp.close)
  const sender = mailSender(database.db, smtp.url)
  const insert = `insert into mails (installer_id, id, company_id, to_address, subject, body, created_at, next_attempt_at)
    values ($1, 'mail_refused', $1, 'no@example.com', 's', 'b', now(), now())`
  await database.rows(insert, [world.installer.company.id])
  const look = async () =>
    (
      await database.rows<{ state: string; attempts: number; waits: boolean; last_error: string }>(
        `select state, attempts, next_attempt_at > now() as waits, last_error from mails where id = 'mail_refused'`,
      )
    )[0]!
  for (let attempt = 1; attempt <= 4; attempt++) {
    await sender.sendDue(never)
    const { state, attempts, waits, last_error } = await look()
    assert.deepEqual([state, attempts, waits], ['queued', attempt, true])
    assert.match(last_error, /451/)
    await sender.sendDue(never)
    assert.equal((await look()).attempts, attempt, 'not before its time')
    await database.rows(
      `update mails set next_attempt_at = now() - interval '1 second' where id = 'mail_refused'`,
    )
  }
  await sender.sendDue(never)
  assert.deepEqual([(await look()).state, (await look()).attempts], ['failed', 5])
  sender.close()
})

test('a server with SMTP_URL sends by itself', async (t) => {
  const smtp = await startSmtpServer()
  t.after(smtp.close)
  const app = await startApp({ database, env: { SMTP_URL: smtp.url, MAIL_FROM: 'app@example.com' } })
  t.after(app.stop)
  const { projectId } = await project(world.installer, { email: 'live@example.com' })
  const moved = await app.call('POST', `/v1/projects/${projectId}/stage`, {
    key: world.installer.key,
    body: { stage: 'pto' },
  })
  assert.equal(moved.status, 200)
  await smtp.received(1)
  assert.equal(smtp.mails[0]!.to, 'live@example.com')
})
