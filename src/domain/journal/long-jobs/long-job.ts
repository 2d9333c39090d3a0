import type { Db } from '../../../platform/db.ts'
import type { FileStore } from '../../../platform/file-store/file-store.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import type { Action } from '../../kernel/policy.ts'

/** Work that takes longer than a call, asked for by somebody and done in their name. */
export interface LongJob {
  installerId: string
  id: string
  companyId: string
  kind: string
  /** Which record it is about: one of a kind runs for it at a time. */
  subjectId: string
  // biome-ignore lint/suspicious/noExplicitAny: what was asked for is the kind's own
  input: any
  state: 'running' | 'done' | 'failed' | 'cancelled'
  /** Records, when it was asked for. */
  total: number
  done: number
  /** Why it ended; while it runs, that its last piece failed and is tried again. */
  failure: string | null
  /** How often it has failed since it last got on. */
  attempts: number
  actorKind: 'member' | 'job'
  actorId: string | null
  actorName: string
  actorCompanyId: string
  createdAt: Date
  endedAt: Date | null
}

export type LongJobId = Pick<LongJob, 'installerId' | 'id'>

export type LongJobDeps = Pick<Context, 'db' | 'directories'> & { store: FileStore }

/** A kind of long work: how it is done, and what goes with its end. */
export interface LongJobKind {
  kind: string
  /** Whoever may do this may stop it. */
  action: Action
  /**
   * Does it piece by piece, from where it stands, and tells after each how many records are done. A piece takes a second
   * or so, in transactions of its own. Begun anew after a crash, or beside another, it does nothing twice. Answers whether
   * it is done, rather than left to whoever else works on it.
   */
  work(deps: LongJobDeps, job: LongJob): AsyncGenerator<number, boolean>
  /** What is noted with its stop, in the same transaction; refuses where it cannot be stopped. */
  stopping(ctx: Context, tx: Db, job: LongJob): Promise<void>
  /** What is noted where it is refused for good, in the same transaction. */
  failing?(tx: Db, job: LongJob, failure: string): Promise<void>
}

/** Whoever asked for it. */
export function actorOf(job: LongJob): Actor {
  return {
    kind: job.actorKind,
    id: job.actorId,
    name: job.actorName,
    installerId: job.installerId,
    companyId: job.actorCompanyId,
    companyKind: job.actorCompanyId === job.installerId ? 'installer' : 'dealer',
    canWrite: true,
  }
}
