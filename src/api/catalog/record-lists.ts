import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { type ChangedList, readChanges } from '../../domain/kernel/changed-lists.ts'
import { scopeOf } from '../../domain/kernel/context.ts'
import { DomainError, notFound } from '../../domain/kernel/domain-error.ts'
import { type InstallationsList, readOfInstallation } from '../../domain/kernel/installation-lists.ts'
import type { NumberedList } from '../../domain/kernel/numbered-lists.ts'
import { findInstallationOwner } from '../../domain/sites/installations/queries.ts'
import type { Deps } from '../deps.ts'
import { contextOf } from '../http/authenticate.ts'
import { instant } from '../http/instant.ts'
import { optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { exampleIds } from './example-ids.ts'
import { listBody, pageFields, pageWanted } from './paging.ts'

/** The fields of a list that can also be asked for what changed. */
export const changeFields = {
  ...pageFields,
  updated_since: optional(
    Type.String({
      format: 'date-time',
      maxLength: 64,
      description:
        'Only what changed after this time, what changed first first, and page by page by `cursor`. What was deleted is not among it',
    }),
  ),
  cursor: optional(
    Type.String({
      maxLength: 200,
      description: 'With `updated_since`: the `next` of the page before, with the same other fields',
    }),
  ),
}
const ChangeQuery = Type.Object(changeFields)

/** Those of one installation. */
export const ofInstallation = optional(
  Type.String({
    maxLength: 200,
    description: 'Only those of this installation, which must be one of yours',
    examples: [exampleIds.installation],
  }),
)

interface Lists<Filter extends string> {
  numbered: NumberedList<Filter>
  ofInstallation?: InstallationsList<Filter>
  changed: ChangedList<Filter>
}

type Asked = Static<typeof ChangeQuery> & { installation_id?: string | undefined }

/** Answers a list by the number of the page, of one installation, or of what changed after a time. */
export async function sendList<Filter extends string>(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  lists: Lists<Filter>,
  filter: { readonly [F in Filter]?: string | undefined },
): Promise<FastifyReply> {
  const asked = request.query as Asked
  const page = pageWanted(asked)
  const scope = scopeOf(contextOf(deps, request))
  const { installation_id: installationId, updated_since: since } = asked
  if (since === undefined && asked.cursor !== undefined)
    throw new DomainError('invalid', 'cursor: it goes with updated_since. Without that, send page.')
  if (since !== undefined && asked.page !== undefined)
    throw new DomainError('invalid', 'page: what changed after a time is read on by cursor. Leave page out.')
  if (installationId !== undefined && (await findInstallationOwner(deps.db, scope, installationId)) === null)
    throw notFound('installation')

  if (since === undefined) {
    const { records, total } =
      installationId !== undefined && lists.ofInstallation
        ? await readOfInstallation(deps.db, lists.ofInstallation, scope, installationId, filter, page)
        : await deps.numberedPage(deps.db, lists.numbered, scope, filter, page)
    return sendJson(reply, listBody(page, records, total))
  }

  const values = lists.changed.filters.map((name) => filter[name] ?? null)
  const binding = [
    lists.changed.table,
    request.caller!.actor.companyId,
    page.perPage,
    instant(since).getTime(),
  ]
  const places = createPlaces(deps, [...binding, installationId ?? null, ...values])
  const changes = await readChanges(deps.db, lists.changed, scope, {
    filter,
    installationId,
    since: instant(since),
    after: asked.cursor === undefined ? null : places.read(asked.cursor),
    perPage: page.perPage,
  })
  const next = changes.next === null ? null : places.write(changes.next)
  return sendJson(reply, listBody(page, changes.records, changes.total, next))
}

interface Place {
  at: Date
  id: string
}

/** Cursors that also name a record: its id stands before them, and they are bound to it. */
export function createPlaces({ cursors }: Deps, binding: readonly unknown[]) {
  return {
    write: ({ at, id }: Place): string => `${id}.${cursors.write({ at, ordinal: 0 }, [...binding, id])}`,
    read(cursor: string): Place {
      const end = cursor.indexOf('.')
      const id = cursor.slice(0, Math.max(end, 0))
      return { at: cursors.read(cursor.slice(end + 1), [...binding, id]).at, id }
    },
  }
}
