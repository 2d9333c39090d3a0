import { Readable } from 'node:stream'
import { checkImport } from '../../domain/data/imports/check-import.ts'
import { createImport } from '../../domain/data/imports/create-import.ts'
import { type Import, importKind } from '../../domain/data/imports/import.ts'
import { findSame, listProblems } from '../../domain/data/imports/queries.ts'
import { readImport, readImports, readProblems, readUndo } from '../../domain/data/imports/read-import.ts'
import { startImport } from '../../domain/data/imports/start-import.ts'
import { stopImport } from '../../domain/data/imports/stop-import.ts'
import { undoImport } from '../../domain/data/imports/undo-import.ts'
import { recordExport } from '../../domain/journal/audit/record-security.ts'
import { findLatestLongJob } from '../../domain/journal/long-jobs/queries.ts'
import type { Context } from '../../domain/kernel/context.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { csvLineForSpreadsheets } from '../../platform/tables/csv-text.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { IdParams } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { inTurn } from '../http/upload-turns.ts'
import { ImportListQuery, ImportUploadQuery, MappingBody, StartBody } from './import-requests.ts'
import {
  type ImportsResponse,
  importResponse,
  importRowResponse,
  type UndoResponse,
} from './import-responses.ts'
import { contextOf } from './sessions.ts'

const pageSize = 20
const maxProblems = 50

/** Files of leads and projects that a company brings with it. */
export function importRoutes(app: Routes, deps: Deps): void {
  const importBody = async (ctx: Context, id: string) => {
    const found = await readImport(ctx, id)
    const problems = await listProblems(ctx.db, { ...found, row: 0, ordinal: 0, limit: maxProblems })
    const work = { installerId: found.installerId, kind: importKind, subjectId: id }
    const [same, job] = [await findSame(ctx.db, found), await findLatestLongJob(ctx.db, work)]
    return JSON.stringify(importResponse(found, problems, same, job))
  }

  app.get('/imports', { schema: { querystring: ImportListQuery } }, async (request, reply) => {
    const { after, limit = pageSize } = request.query
    const found = await readImports(contextOf(deps, request), after, limit + 1)
    const imports = found.slice(0, limit).map(importRowResponse)
    const answer: ImportsResponse = { imports, next: found.length > limit ? imports.at(-1)!.id : null }
    return sendJson(reply, JSON.stringify(answer))
  })

  app.get('/imports/:id', byId, async (request, reply) =>
    sendJson(reply, await importBody(contextOf(deps, request), request.params.id)),
  )

  app.post(
    '/imports/:id/check',
    { schema: { params: IdParams, body: MappingBody } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      await checkImport(ctx, request.params.id, request.body.mapping)
      return sendJson(reply, await importBody(ctx, request.params.id))
    },
  )

  app.post(
    '/imports/:id/start',
    { schema: { params: IdParams, body: StartBody } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      await startImport(ctx, request.params.id, { again: request.body?.again })
      return sendJson(reply, await importBody(ctx, request.params.id))
    },
  )

  app.post('/imports/:id/stop', byId, async (request, reply) => {
    const ctx = contextOf(deps, request)
    await stopImport(ctx, request.params.id)
    return sendJson(reply, await importBody(ctx, request.params.id))
  })

  app.get('/imports/:id/undo', byId, async (request, reply) => {
    const undo: UndoResponse = await readUndo(contextOf(deps, request), request.params.id)
    return sendJson(reply, JSON.stringify(undo))
  })

  app.post('/imports/:id/undo', byId, async (request, reply) => {
    const ctx = contextOf(deps, request)
    await undoImport(ctx, request.params.id)
    return sendJson(reply, await importBody(ctx, request.params.id))
  })

  app.get('/imports/:id/problems.csv', byId, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const found = await readImport(ctx, request.params.id)
    await recordExport(ctx, 'import_problems')
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="import-problems.csv"')
      .send(Readable.from(problemLines(ctx, found)))
  })
}

async function* problemLines(ctx: Context, found: Import): AsyncGenerator<string> {
  // Spreadsheets take a file for UTF-8 where it begins so.
  yield `\uFEFF${csvLineForSpreadsheets(['Row', 'Column', 'What to change', 'Taken'])}`
  for await (const problems of readProblems(ctx, found)) {
    yield problems
      .map(({ row, column, message, refused }) =>
        csvLineForSpreadsheets([String(row), column ?? '', message, refused ? 'no' : 'yes']),
      )
      .join('')
  }
}

/** The body is the file, whatever type it is said to be. */
export function importUploadRoute(app: Routes, deps: Deps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

    scope.put<{ Querystring: ImportUploadQuery; Body: Readable | undefined }>(
      '/imports',
      { config: { streamed: '', isFile: true }, schema: { querystring: ImportUploadQuery } },
      async (request, reply) => {
        const ctx = contextOf(deps, request)
        const { name } = request.query
        const contents = request.body
        if (!contents) throw new DomainError('invalid', `${name} is an empty file.`)
        const length = request.headers['content-length']
        const sent = { name, size: length === undefined ? null : Number(length), contents }
        const { id } = await inTurn(deps, ctx.actor, request, reply, () =>
          createImport(ctx, deps.copying.store, sent),
        )
        return sendJson(reply.code(201), JSON.stringify({ id }))
      },
    )
  })
}
