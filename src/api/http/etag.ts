import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../domain/kernel/context.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { contextOf } from './authenticate.ts'
import { sendJson } from './send-json.ts'

/** Whether the caller's If-None-Match names what is there. */
export function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false
}

const etagHeader = {
  ETag: {
    type: 'string',
    description: 'Of the record as it reads: for `If-None-Match`, and for `If-Match` of what changes it',
  },
}

type Answers = Record<number, { headers?: object }>

/** Answers whose 200 has the record's tag. */
export function withEtag(answers: object): object {
  const { 200: ok, ...others } = answers as Answers
  return { ...others, 200: { ...ok, headers: { ...ok!.headers, ...etagHeader } } }
}

/** By which a record is sent only where the caller has it not yet. */
export const KnownHeaders = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({
      description:
        'The `ETag` of the record as you have it: where it still reads so it is 304, without a body',
    }),
  ),
})

/** By which a change is made only to what the caller has read. */
export const MatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description:
        'The `ETag` of the record as you read it, or several, or `*`. Where it reads otherwise by now the change is 412, and nothing is written',
    }),
  ),
})

const updatedAtName = '"updatedAt":"'
const stampLength = '2026-01-31T08:00:00.000Z'.length

/**
 * Of a lead or a project, whose every change has a time of its own. What stands before it was written by us, and texts
 * inside JSON have their quotation marks escaped, so the first that is found is the record's own.
 */
export function etagOfRendering(rendering: string): string {
  const start = rendering.indexOf(updatedAtName) + updatedAtName.length
  return `"${rendering.slice(start, start + stampLength)}"`
}

/** Of any other record. What was measured, where it shows that, stands behind: it is new to who reads, and no change. */
export function etagOfBytes(json: string, measured?: string): string {
  return `"${hash('sha1', json, 'base64url')}${measured === undefined ? '' : `;${measured}`}"`
}

const measuredPart = /;[^"]*"$/

/** Sends a single record, or says that the caller has it already. */
export function sendRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
  etag = etagOfBytes(json),
): FastifyReply {
  reply.header('etag', etag)
  const known = request.headers['if-none-match']
  if (known !== undefined && isKnown(known, etag)) return reply.code(304).send()
  return sendJson(reply, json)
}

const tagList = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*\s*$/

/** Whether If-Match names a tag, whatever was measured since: it is compared strongly, so a weak one names none. */
export function isMatch(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  if (!tagList.test(header)) {
    const message = 'must be *, or the ETag of the record with its quotation marks'
    throw new DomainError('invalid', `If-Match ${message}.`, [{ path: 'if-match', message }])
  }
  return header.split(',').some((tag) => tag.trim().replace(measuredPart, '"') === etag)
}

/** What a use case is given that changes a lead or a project only as the caller has read it. */
export function matchingContext(deps: Deps, request: FastifyRequest): Context {
  const ctx = contextOf(deps, request)
  const header = request.headers['if-match']
  if (header !== undefined) ctx.expects = (updatedAt) => isMatch(header, `"${updatedAt.toISOString()}"`)
  return ctx
}
