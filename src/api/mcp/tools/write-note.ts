import Type from 'typebox'
import { writeNote as write } from '../../../domain/deals/activities/write-note.ts'
import { leadLimits } from '../../../domain/deals/leads/lead.ts'
import { optional } from '../../http/schema-words.ts'
import { writingTool } from '../tool.ts'
import { id, said, Writing, Written } from '../words.ts'

export const writeNote = writingTool({
  name: 'write_note',
  title: 'Write a note',
  description:
    'Writes a note into the activity of a lead or project. Everybody who sees the record reads it, unless it is internal. Nothing is sent to the customer.',
  of: 'company',
  needs: 'notes.write',
  destructive: false,
  idempotent: false,
  open: false,
  kept: 'together',
  input: Writing({
    id: id('The lead or project: its id or reference'),
    text: said(leadLimits.notes, 'What the note says'),
    internal: optional(Type.Boolean({ default: false, description: 'Only for the company that writes it' })),
    reply_to: optional(id('The id of the note that it answers')),
  }),
  output: Written,
  async write({ ctx }, { id: key, text: body, internal, reply_to }) {
    const note = { body, ...(internal ? { internal } : {}), ...(reply_to ? { replyTo: reply_to } : {}) }
    const on = key.startsWith('proj_') ? { project: key } : { lead: key }
    const { deal, activity } = await write(ctx, on, note)
    const who = activity.internal
      ? 'only the company that wrote it reads it'
      : 'everybody who sees the record reads it'
    return {
      changed: true,
      summary: 'The note is written.',
      effects: [`The note stands in the activity; ${who}`],
      record: { note_id: activity.id, lead_id: deal.lead.id, project_id: deal.project?.id ?? null },
      made: ['note_id'],
    }
  },
})
