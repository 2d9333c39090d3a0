import type { Db, Statement } from '../db.ts'
import type { Session } from '../leader.ts'
import { integer, json, text } from '../sql/row.ts'

/** What a tenant asked to be done later, as it stands on the tenant's node. */
interface JobRequest {
  key: string
  task: string
  payload: object
  runAt: string | null
  asked: number
}

const channel = 'job_requests'
/** Which tenant asked is not known. */
export const somebody = '*'
/** A notice holds less than 8,000 bytes. */
const mostInNotice = 150
const soonMs = 2

const listRequests: Statement = {
  text: `select key, task, payload, run_at::text as "runAt", asked from job_requests where installer_id = $1 limit 1000`,
  tenant: true,
  columns: { key: text, task: text, payload: json, runAt: text, asked: integer },
}
const deleteRequest: Statement = {
  text: 'delete from job_requests where installer_id = $1 and key = $2 and asked = $3',
  tenant: true,
}
const listAsking: Statement = {
  text: 'select distinct installer_id as "installerId" from job_requests limit 1000',
  across: true,
  columns: { installerId: text },
}
// Where the queue is.
const queueJob: Statement = { text: 'select queue_job($1, $2::json, $3, $4::timestamptz)' }
const notify: Statement = { text: `select pg_notify('${channel}', $1)` }

/** Tells the leader, whichever process that is, who asked for something; what is not told is found by its next look. */
export function createTelling(db: Db): (installerId: string) => void {
  const asked = new Set<string>()
  const tell = () => {
    const ids = [...asked]
    asked.clear()
    for (let i = 0; i < ids.length; i += mostInNotice)
      db.query(notify, [ids.slice(i, i + mostInNotice).join(' ')]).catch(() => {})
  }
  return (installerId) => {
    if (asked.size === 0) setTimeout(tell, soonMs)
    asked.add(installerId)
  }
}

export interface JobRequests {
  start(session: Session): Promise<void>
  /** For what nobody told us of. */
  look(): Promise<void>
}

/** Hands to the queue what tenants on other nodes asked for. It is asked for until it is handed over, and may be so twice. */
export function createJobRequests(db: Db, onFailure: (error: Error) => void): JobRequests {
  const underWay = new Map<string, { again: boolean }>()

  async function handOver(installerId: string): Promise<void> {
    const before = underWay.get(installerId)
    if (before) {
      before.again = true
      return
    }
    const pass = { again: true }
    underWay.set(installerId, pass)
    try {
      while (pass.again) {
        pass.again = false
        for (const { key, task, payload, runAt, asked } of await db.query<JobRequest>(listRequests, [
          installerId,
        ])) {
          await db.query(queueJob, [task, JSON.stringify(payload), key, runAt])
          await db.query(deleteRequest, [installerId, key, asked])
        }
      }
    } finally {
      underWay.delete(installerId)
    }
  }

  async function look(): Promise<void> {
    const asking = await db.query<{ installerId: string }>(listAsking, [])
    const ended = await Promise.allSettled(asking.map(({ installerId }) => handOver(installerId)))
    const failed = ended.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  }

  return {
    look,
    async start(session) {
      await session.listen(channel, (payload) => {
        const asking = payload.split(' ')
        if (payload === '' || asking.includes(somebody)) look().catch(onFailure)
        else for (const installerId of asking) handOver(installerId).catch(onFailure)
      })
    },
  }
}
