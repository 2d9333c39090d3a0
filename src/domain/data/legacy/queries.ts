import type { Db } from '../../../platform/db.ts'
import { boolean, float, integer, json, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { exists, many, maybeOne, one, run, scalars } from '../../../platform/sql/statements.ts'
import type { LegacyRecord, LegacySource } from './source.ts'

const source = row<LegacySource>({
  installerId: text,
  id: text,
  companyId: text,
  baseUrl: text,
  scope: text,
  walk: integer,
  list: text,
  page: integer,
  runner: text,
})

type SourceAddress = Pick<LegacySource, 'installerId' | 'companyId' | 'baseUrl' | 'scope'>

const isAddress = (
  $: Params<SourceAddress>,
) => sql`installer_id = ${$.installerId} and company_id = ${$.companyId}
  and base_url = ${$.baseUrl} and scope = ${$.scope}`

export const findSource = maybeOne(
  source,
  ($: Params<SourceAddress>) => sql`select ${select(source)} from legacy_sources where ${isAddress($)}`,
)

/** Whoever begins works on it from now on: where the last walk did not end it is gone on with, else a new one begins. */
export const beginRun = one(
  source,
  ($: Params<SourceAddress & { id: string; runner: string; now: Date }>) => sql`
    insert into legacy_sources (installer_id, id, company_id, base_url, scope, walk, runner, created_at)
    values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.baseUrl}, ${$.scope}, 1, ${$.runner}, ${$.now})
    on conflict (installer_id, company_id, base_url, scope) do update set runner = excluded.runner,
      walk = legacy_sources.walk + case when legacy_sources.ended_at is null then 0 else 1 end, ended_at = null
    returning ${select(source)}`,
)

type Run = Pick<LegacySource, 'installerId' | 'id' | 'runner'>

/** Whether this run still is the one that works on it, held so until the transaction ends. */
export const holdRun = exists(
  ($: Params<Run>) => sql`
    select 1 from legacy_sources
    where installer_id = ${$.installerId} and id = ${$.id} and runner = ${$.runner} for update`,
)

export const keepPlace = run(
  ($: Params<Run & { list: string; page: number }>) => sql`
    update legacy_sources set list = ${$.list}, page = ${$.page}
    where installer_id = ${$.installerId} and id = ${$.id} and runner = ${$.runner}`,
)

export const endWalk = run(
  ($: Params<Run & { now: Date }>) => sql`
    update legacy_sources set list = null, page = null, ended_at = ${$.now}
    where installer_id = ${$.installerId} and id = ${$.id} and runner = ${$.runner}`,
)

interface OfSource {
  installerId: string
  sourceId: string
}

const record = row<LegacyRecord>({
  kind: text,
  productLine: text,
  legacyId: text,
  leadId: text,
  linkKey: text,
  customerKey: text,
  marks: json,
  walk: integer,
  outcome: text,
  problems: json,
  files: integer,
})

interface SomeRecords extends OfSource {
  kind: string
  productLine: string
  legacyIds: readonly string[]
}

export const findRecords = many(
  record,
  ($: Params<SomeRecords>) => sql`
    select ${select(record)} from legacy_records
    where installer_id = ${$.installerId} and source_id = ${$.sourceId} and kind = ${$.kind}
      and product_line = ${$.productLine} and legacy_id = any(${$.legacyIds}::text[])`,
)

export interface CameElsewhere {
  legacyId: string
  leadId: string
  customerKey: string | null
}

/** What records of the same server became that were read for somebody else, such as a dealer's before the installer's. */
export const findCameElsewhere = many(
  row<CameElsewhere>({ legacyId: text, leadId: text, customerKey: text }),
  ($: Params<SomeRecords & { baseUrl: string }>) => sql`
    select r.legacy_id as "legacyId", r.lead_id as "leadId", r.customer_key as "customerKey"
    from legacy_sources s join legacy_records r on r.installer_id = s.installer_id and r.source_id = s.id
    where s.installer_id = ${$.installerId} and s.base_url = ${$.baseUrl} and s.id <> ${$.sourceId}
      and r.kind = ${$.kind} and r.product_line = ${$.productLine} and r.legacy_id = any(${$.legacyIds}::text[])
      and r.lead_id is not null
    order by r.lead_id`,
)

export interface Met {
  kind: LegacyRecord['kind']
  leadId: string
  key: string
}

const met = row<Met>({ kind: text, leadId: text, key: text })

/** What has one of these addresses of a project. */
export const findByLink = many(
  met,
  ($: Params<OfSource & { keys: readonly string[] }>) => sql`
    select kind, lead_id as "leadId", link_key as key from legacy_records
    where installer_id = ${$.installerId} and source_id = ${$.sourceId} and link_key = any(${$.keys}::text[])
      and link_key is not null and lead_id is not null`,
)

/** Leads of these customers. */
export const findByCustomer = many(
  met,
  ($: Params<OfSource & { keys: readonly string[]; productLine: string }>) => sql`
    select kind, lead_id as "leadId", customer_key as key from legacy_records
    where installer_id = ${$.installerId} and source_id = ${$.sourceId} and customer_key = any(${$.keys}::text[])
      and customer_key is not null and lead_id is not null and kind = 'lead' and product_line = ${$.productLine}`,
)

const writeRecords = run(
  ($: Params<OfSource & { rows: string }>) => sql`
    insert into legacy_records (installer_id, source_id, kind, product_line, legacy_id, lead_id, link_key, customer_key,
      marks, walk, outcome, problems, files)
    select ${$.installerId}, ${$.sourceId}, r.kind, r.product_line, r.legacy_id, r.lead_id, r.link_key, r.customer_key,
      r.marks, r.walk, r.outcome, r.problems, r.files
    from json_populate_recordset(null::legacy_records, ${$.rows}) r
    on conflict (installer_id, source_id, kind, product_line, legacy_id) do update set lead_id = excluded.lead_id,
      link_key = excluded.link_key, customer_key = excluded.customer_key, marks = excluded.marks, walk = excluded.walk,
      outcome = excluded.outcome, problems = excluded.problems, files = excluded.files`,
)

export async function saveRecords(tx: Db, of: OfSource, records: readonly LegacyRecord[]): Promise<void> {
  if (records.length === 0) return
  const rows = records.map((one) => ({
    kind: one.kind,
    product_line: one.productLine,
    legacy_id: one.legacyId,
    lead_id: one.leadId,
    link_key: one.linkKey,
    customer_key: one.customerKey,
    marks: one.marks,
    walk: one.walk,
    outcome: one.outcome,
    problems: one.problems,
    files: one.files,
  }))
  await writeRecords(tx, { ...of, rows: JSON.stringify(rows) })
}

type OfRecord = OfSource & Pick<LegacyRecord, 'kind' | 'productLine' | 'legacyId'>

const isRecord = ($: Params<OfRecord>) => sql`installer_id = ${$.installerId} and source_id = ${$.sourceId}
  and kind = ${$.kind} and product_line = ${$.productLine} and legacy_id = ${$.legacyId}`

export const noteFiles = run(
  ($: Params<OfRecord & { files: number; problems: string }>) => sql`
    update legacy_records set files = files + ${$.files}, problems = problems || ${$.problems}::jsonb
    where ${isRecord($)}`,
)

interface TakenIds {
  installerId: string
  ids: readonly string[]
}

export const findLeadsReferenced = many(
  row<{ key: string; leadId: string }>({ key: text, leadId: text }),
  ($: Params<TakenIds>) => sql`
    select reference as key, id as "leadId" from leads
    where installer_id = ${$.installerId} and reference = any(${$.ids}::text[]) and reference is not null`,
)

export const findProjectsReferenced = many(
  row<{ key: string; leadId: string }>({ key: text, leadId: text }),
  ($: Params<TakenIds>) => sql`
    select reference as key, lead_id as "leadId" from projects
    where installer_id = ${$.installerId} and reference = any(${$.ids}::text[]) and reference is not null`,
)

interface OfProject {
  installerId: string
  projectId: string
}

/** `folder mark` of the files that were copied into a project. */
export const listFileMarks = scalars(
  { mark: text },
  ($: Params<OfProject>) => sql`
    select folder || ' ' || mark as mark from legacy_files
    where installer_id = ${$.installerId} and project_id = ${$.projectId}`,
)

export const addFileMarks = run(
  ($: Params<OfProject & { folders: readonly string[]; marks: readonly string[] }>) => sql`
    insert into legacy_files (installer_id, project_id, folder, mark)
    select ${$.installerId}, ${$.projectId}, m.folder, m.mark
    from unnest(${$.folders}::text[], ${$.marks}::text[]) as m(folder, mark)
    on conflict do nothing`,
)

export interface OutcomeCount {
  kind: LegacyRecord['kind']
  productLine: LegacyRecord['productLine']
  outcome: LegacyRecord['outcome']
  /** Whether it was met in the walk that is asked for; the others were there once and are gone. */
  met: boolean
  records: number
  files: number
}

export const countOutcomes = many(
  row<OutcomeCount>({
    kind: text,
    productLine: text,
    outcome: text,
    met: boolean,
    records: integer,
    files: integer,
  }),
  ($: Params<OfSource & { walk: number }>) => sql`
    select kind, product_line as "productLine", outcome, walk = ${$.walk} as met, count(*) as records,
      coalesce(sum(files), 0)::bigint as files
    from legacy_records where installer_id = ${$.installerId} and source_id = ${$.sourceId}
    group by kind, product_line, outcome, walk = ${$.walk}`,
)

/** What was wrong, the same things together, with an example each. */
export interface ProblemGroup {
  kind: LegacyRecord['kind']
  field: string
  message: string
  records: number
  example: string
}

interface CountedGroup extends ProblemGroup {
  /** Of all groups, also of those beyond the limit. */
  all: number
}

export const groupProblems = many(
  row<CountedGroup>({
    kind: text,
    field: text,
    message: text,
    records: integer,
    example: text,
    all: integer,
  }),
  ($: Params<OfSource & { walk: number; limit: number }>) => sql`
    select r.kind, p ->> 'field' as field, p ->> 'message' as message, count(*) as records,
      min(r.legacy_id) as example, (sum(count(*)) over ())::bigint as all
    from legacy_records r cross join lateral jsonb_array_elements(r.problems) p
    where r.installer_id = ${$.installerId} and r.source_id = ${$.sourceId} and r.walk = ${$.walk}
    group by r.kind, p ->> 'field', p ->> 'message'
    order by records desc, r.kind, field, message limit ${$.limit}`,
)

const findSize = one(
  row<{ rows: number }>({ rows: float }),
  (_: Params<object>) => sql`select reltuples as rows from pg_class where oid = 'legacy_records'::regclass`,
)
const analyzeRecords = run((_: Params<object>) => sql`analyze legacy_records`, {
  across: 'how large it is concerns the whole table',
})
const fewRecords = 10_000

/** Statements that were planned while the table was empty read all of it; once its size is known, they are planned anew. */
export async function learnRecords(db: Db): Promise<void> {
  if ((await findSize(db, {})).rows < fewRecords) await analyzeRecords(db, {})
}

/** Lets go of what is known about a customer by what the old server said. That the record came over stays known. */
export const forgetRecords = run(
  ($: Params<{ installerId: string; leadId: string; projectId: string | null }>) => sql`
    with forgotten as (
      delete from legacy_files where installer_id = ${$.installerId} and project_id = ${$.projectId}
    )
    update legacy_records set marks = '{}', link_key = null, customer_key = null, problems = '[]'
    where installer_id = ${$.installerId} and lead_id = ${$.leadId}`,
)
