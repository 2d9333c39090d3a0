import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '../support/database.ts'
import { createWorld } from '../support/factories.ts'
import { mailSender } from '../support/mail-sender.ts'
import { type ReceivedMail, type SmtpBehaviour, startSmtpServer } from '../support/smtp-server.ts'

const database = await createTestDatabase()
const world = await createWorld(database.db)
const one = world.installer.company.id
const two = world.other.company.id
const never = new AbortController().signal
after(() => database.drop())
beforeEach(() => database.rows('delete from mails'))

async function write(id: string, to: string, { installer = one, urgent = false } = {}): Promise<void> {
  await database.rows(
    `insert into mails (installer_id, id, company_id, to_address, subject, body, created_at, next_attempt_at, urgent)
     values ($1, $2, $1, $3, 'Hello', 'Text', now(), now() - interval '1 second', $4)`,
    [installer, id, to, urgent],
  )
}

async function look(id: string) {
  const [row] = await database.rows<{
    state: string
    attempts: number
    unanswered: number
    lease: string | null
    last_error: string | null
  }>('select state, attempts, unanswered, lease, last_error from mails where id = $1', [id])
  return row!
}

const dueNow = () =>
  database.rows(`update mails set next_attempt_at = now() - interval '1 second' where state = 'queued'`)
const messageIds = (mails: ReceivedMail[]) => mails.map(({ data }) => /^Message-ID: (.*)$/m.exec(data)?.[1])

/** Answers only when it is told to. */
function held() {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { release, released }
}

test('a mail server that takes its time gets a mail once, no transaction waits for it, and others pass', async (t) => {
  const { release, released } = held()
  const smtp = await startSmtpServer({
    whole: async ({ to }) => {
      if (to.endsWith('@slow.example')) await released
      return '250 taken'
    },
  })
  t.after(smtp.close)
  await write('mail_slow', 'ada@slow.example')
  const senders = [mailSender(database.db, smtp.url), mailSender(database.db, smtp.url)]
  const sending = senders.map((sender) => sender.sendDue(never))
  await smtp.received(1)
  const { state, lease } = await look('mail_slow')
  assert.deepEqual([state, lease === null], ['queued', false], 'being sent')
  const open = await database.rows(
    `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  )
  assert.equal(open.length, 0, 'no transaction is open meanwhile')
  // What is written now does not wait for the slow one.
  await write('mail_quick', 'bo@quick.example')
  await smtp.received(2)
  assert.equal(smtp.mails[1]!.to, 'bo@quick.example')
  release()
  await Promise.all(sending)
  assert.deepEqual(smtp.mails.map(({ to }) => to).sort(), ['ada@slow.example', 'bo@quick.example'])
  assert.deepEqual(await look('mail_slow'), {
    state: 'sent',
    attempts: 1,
    unanswered: 0,
    lease: null,
    last_error: null,
  })
  for (const sender of senders) sender.close()
})

test('a lost answer means one more try under the same Message-ID, and then no more', async (t) => {
  const smtp = await startSmtpServer({ whole: async () => null })
  t.after(smtp.close)
  const sender = mailSender(database.db, smtp.url)
  await write('mail_lost', 'ada@example.com')
  await sender.sendDue(never)
  assert.deepEqual([(await look('mail_lost')).state, smtp.mails.length], ['queued', 1])
  for (let i = 0; i < 3; i++) {
    await dueNow()
    await sender.sendDue(never)
  }
  assert.deepEqual(messageIds(smtp.mails), ['<mail_lost@example.com>', '<mail_lost@example.com>'])
  const { state, last_error } = await look('mail_lost')
  assert.equal(state, 'failed')
  assert.match(last_error!, /may have arrived/)
})

test('a sender that died while it sent is followed once, not for ever', async (t) => {
  const smtp = await startSmtpServer()
  t.after(smtp.close)
  await write('mail_first', 'ada@example.com')
  await write('mail_third', 'bo@example.com', { installer: two })
  // As two senders left them that were killed before they could say what became of them.
  await database.rows(
    `update mails set lease = 'dead', unanswered = case id when 'mail_first' then 1 else 2 end`,
  )
  await mailSender(database.db, smtp.url).sendDue(never)
  assert.deepEqual(messageIds(smtp.mails), ['<mail_first@example.com>'])
  assert.equal((await look('mail_first')).state, 'sent')
  assert.equal((await look('mail_third')).state, 'failed')
})

test('what the dead one holds is left alone until its lease ends', async (t) => {
  const smtp = await startSmtpServer()
  t.after(smtp.close)
  await write('mail_held', 'ada@example.com')
  await database.rows(
    `update mails set lease = 'alive', unanswered = 1, next_attempt_at = now() + interval '1 minute'`,
  )
  await mailSender(database.db, smtp.url).sendDue(never)
  assert.equal(smtp.mails.length, 0)
})

test('a refusal for good fails at once and holds up nobody; another company’s address is one address', async (t) => {
  const smtp = await startSmtpServer({
    recipient: (to) => (to === 'gone@example.com' ? '550 no such user gone@example.com' : undefined),
  })
  t.after(smtp.close)
  const lines: object[] = []
  const log = { info: (line: object) => lines.push(line), warn: (line: object) => lines.push(line) }
  const sender = mailSender(database.db, smtp.url, { log: log as never })
  await write('mail_gone', 'gone@example.com')
  await write('mail_fine', 'fine@example.com')
  await write('mail_two', 'a@example.com, b@example.com')
  await write('mail_line', 'c@example.com\r\nRCPT TO:<d@example.com>')
  await sender.sendDue(never)
  const { state, attempts, last_error } = await look('mail_gone')
  assert.deepEqual([state, attempts, last_error], ['failed', 1, '550 no such user gone@example.com'])
  assert.equal((await look('mail_fine')).state, 'sent')
  assert.equal((await look('mail_line')).state, 'failed')
  // The address is handed over as it is, not read as a list of two.
  assert.ok(smtp.mails.every(({ to }) => ['fine@example.com', 'a@example.com, b@example.com'].includes(to)))
  assert.ok(lines.length >= 3)
  assert.doesNotMatch(JSON.stringify(lines), /example\.com|Hello/, 'no address and no subject in the log')
})

test('a mail server that is away costs no try, and is left alone for a while', async () => {
  const gone = await startSmtpServer()
  await gone.close()
  const sender = mailSender(database.db, gone.url, { serverWaitMs: { first: 60_000, max: 60_000 } })
  await write('mail_a', 'a@example.com')
  await write('mail_b', 'b@example.com')
  await sender.sendDue(never)
  await dueNow()
  await sender.sendDue(never)
  const { state, attempts, lease, unanswered, last_error } = await look('mail_a')
  assert.deepEqual([state, attempts, lease, unanswered], ['queued', 0, null, 0])
  assert.match(last_error!, /could not be used: .*ECONNREFUSED/)
  // What could not be sent for five days is given up.
  await database.rows(`update mails set created_at = now() - interval '6 days'`)
  // Alone: after the first that fails the server is left alone, whichever that is.
  await database.rows(`delete from mails where id = 'mail_b'`)
  await dueNow()
  await mailSender(database.db, gone.url).sendDue(never)
  assert.equal((await look('mail_a')).state, 'failed')
})

test('a connection that the server ended meanwhile is no failure of the next mail', async (t) => {
  const smtp = await startSmtpServer()
  t.after(smtp.close)
  const sender = mailSender(database.db, smtp.url)
  await write('mail_1', 'a@example.com')
  await sender.sendDue(never)
  await write('mail_2', 'a@example.com')
  await sender.sendDue(never)
  assert.equal(smtp.connections(), 1, 'used again')
  smtp.hangUp()
  await write('mail_3', 'a@example.com')
  await sender.sendDue(never)
  const { state, attempts } = await look('mail_3')
  assert.deepEqual([state, attempts, smtp.mails.length], ['sent', 1, 3])
})

test('one company’s many mails hold up neither another’s nor a person’s own', async (t) => {
  const { release, released } = held()
  const order: string[] = []
  const smtp = await startSmtpServer({
    whole: async ({ to }) => {
      order.push(to)
      if (to.startsWith('many')) await released
      return '250 taken'
    },
  })
  t.after(smtp.close)
  for (let i = 0; i < 30; i++) await write(`mail_many_${i}`, `many${i}@d${i % 10}.example`)
  await write('mail_other', 'other@example.com', { installer: two })
  await write('mail_password', 'me@d1.example', { urgent: true })
  const sender = mailSender(database.db, smtp.url)
  const sending = sender.sendDue(never)
  while (!(order.includes('other@example.com') && order.includes('me@d1.example'))) await sleep(5)
  assert.ok(order.filter((to) => to.startsWith('many')).length <= 4, 'a share of the places')
  release()
  await sending
  assert.equal(new Set(smtp.mails.map(({ to }) => to)).size, 32)
  assert.equal(smtp.mails.length, 32)
})

const patient = {
  ...{ connectMs: 60_000, greetingMs: 60_000, readyMs: 60_000 },
  ...{ handOverMs: 60_000, silenceMs: 60_000, totalMs: 60_000 },
}

test('a server that never comes so far as to take a mail is given up, however slowly it goes on', async (t) => {
  const drip = (socket: Socket, text: string) => {
    const timer = setInterval(() => socket.write(text), 20)
    socket.on('close', () => clearInterval(timer))
  }
  const ways: Record<string, SmtpBehaviour> = {
    'no greeting': { greet: () => false },
    'a greeting byte by byte': {
      greet(socket) {
        drip(socket, '2')
        return false
      },
    },
    'an endless greeting': {
      greet(socket) {
        drip(socket, '220-go on\r\n')
        return false
      },
    },
    'endless abilities': {
      command(line, socket) {
        if (!line.startsWith('EHLO')) return undefined
        drip(socket, '250-more\r\n')
        return null
      },
    },
    'TLS that does not begin': {
      command: (line) =>
        line.startsWith('EHLO') ? '250-test\r\n250 STARTTLS' : line === 'STARTTLS' ? '220 go on' : undefined,
    },
  }
  for (const [way, behaviour] of Object.entries(ways)) {
    const smtp = await startSmtpServer(behaviour)
    t.after(smtp.close)
    await database.rows('delete from mails')
    await write('mail_waits', 'a@example.com')
    const sender = mailSender(database.db, smtp.url, { limits: { ...patient, readyMs: 200 } })
    await sender.sendDue(never)
    const { state, attempts, unanswered, last_error } = await look('mail_waits')
    assert.deepEqual([state, attempts, unanswered], ['queued', 0, 0], way)
    // On a busy machine what is answered to the beginning of TLS may come before the time is over.
    assert.match(last_error!, /could not be used: .*(took too long|wrong version number)/, way)
  }
})

test('a server that says nothing is cut off within its limits', async (t) => {
  const { release, released } = held()
  const smtp = await startSmtpServer({ whole: () => released.then(() => '250 late') })
  t.after(smtp.close)
  const limits = { ...patient, totalMs: 50 }
  const sender = mailSender(database.db, smtp.url, { limits })
  await write('mail_silent', 'a@example.com')
  // The time is over once the mail is handed over, and not before on a busy machine.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sending = sender.sendDue(never)
  await smtp.received(1)
  t.mock.timers.tick(50)
  t.mock.timers.reset()
  await sending
  const { state, unanswered, attempts } = await look('mail_silent')
  assert.deepEqual([state, attempts, unanswered], ['queued', 1, 1])
  release()
})

test('a stop gives back what was not handed over', async (t) => {
  const { released } = held()
  const smtp = await startSmtpServer({ whole: () => released.then(() => '250 never') })
  t.after(smtp.close)
  const stop = new AbortController()
  await write('mail_under_way', 'a@example.com')
  const sending = mailSender(database.db, smtp.url, { stopPatienceMs: 10 }).sendDue(stop.signal)
  await smtp.received(1)
  stop.abort()
  await sending
  const { state, lease, unanswered } = await look('mail_under_way')
  assert.deepEqual([state, lease, unanswered], ['queued', null, 1], 'it may have arrived: tried once more')
})
