import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { writeNote } from '../../domain/deals/activities/write-note.ts'
import { leadLimits } from '../../domain/deals/leads/lead.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { Fields, optional, textOrNull } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { IdParams, NoQuery } from './request-schemas.ts'

const NoteBody = Fields(
  {
    body: Type.String({ minLength: 1, maxLength: leadLimits.notes, description: 'What the note says' }),
    replyTo: optional(
      textOrNull({ minLength: 1, maxLength: 64, description: 'The id of the note that it answers' }),
    ),
    internal: optional(
      Type.Boolean({
        default: false,
        description:
          'Only for the keys, owners and admins of the company that writes it. What answers an internal note is internal too',
      }),
    ),
    customerFacing: optional(
      Type.Boolean({
        default: false,
        description: 'Marked as meant for the customer; an internal one cannot be',
      }),
    ),
  },
  { examples: [{ body: 'Gate code is 4711', internal: true }] },
)
type NoteBody = Static<typeof NoteBody>

export function leadActivityRoute(app: FastifyInstance, deps: Deps): void {
  app.post<{ Params: { id: string }; Body: NoteBody }>(
    '/leads/:id/activity',
    {
      schema: {
        operationId: 'writeNote',
        tags: ['Leads'],
        summary: 'Write a note on a lead',
        description:
          'Into the feed of the lead, which is its project’s too; or as a reply to a note of that feed. It does not change the lead, so `updatedAt` stays.',
        params: IdParams,
        body: NoteBody,
        querystring: NoQuery,
        response: answers({ 201: ['Activity', 'The note as the feed reads it'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { replyTo, ...note } = request.body
      const { activity } = await writeNote(
        contextOf(deps, request),
        { lead: request.params.id },
        { ...note, ...(replyTo ? { replyTo } : {}) },
      )
      return sendJson(reply.code(201), JSON.stringify(activity))
    },
  )
}
