import Type from 'typebox'
import { readHome } from '../../../domain/data/home/read-home.ts'
import { type Figure, sumUp } from '../../../domain/kernel/counted.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { readingTool } from '../tool.ts'
import { Holds, record, records } from '../words.ts'

const mostRows = 25

export const today = readingTool({
  name: 'today',
  title: 'What is on today',
  description:
    'The day at a glance: projects that are stuck (longer in their stage than it allows, the latest first), installs and surveys of the next seven days, and new leads that nobody has spoken to, those that have waited longest first. `more` says how to read on where not all are shown.',
  of: 'company',
  input: Fields({
    limit: optional(
      Type.Integer({
        minimum: 1,
        maximum: mostRows,
        default: 10,
        description: 'How many stuck projects, and how many leads, at most',
      }),
    ),
  }),
  output: Holds({
    today: Type.String({ description: 'The company’s day' }),
    late: record(
      'How many projects are late, by product line, and or_more where there are more than were counted',
    ),
    late_by_stage: records('The same by stage: productLine, stage, late, or_more'),
    stuck: records('The latest of them: id, stage, days in it, daysLate'),
    visits: records('Installs and surveys of seven days from today, in order'),
    waiting: Holds(
      {
        total: Type.Integer(),
        or_more: optional(Type.Boolean()),
        leads: records('Those that have waited longest, the oldest first'),
      },
      'Leads that nobody has spoken to yet',
    ),
    more: Type.Array(Type.String(), { description: 'What is not shown, and how to read it' }),
  }),
  async read({ ctx }, { limit = 10 }) {
    const home = await readHome(ctx, 'list')
    const stuck = home.stuck.slice(0, limit)
    const leads = home.waiting.leads.slice(0, limit)
    const waiting = home.waiting.total
    const late = sumUp([home.late.solar, home.late.hi])
    return {
      today: home.today,
      late: { solar: home.late.solar.count, hi: home.late.hi.count, ...told(late) },
      late_by_stage: home.lateByStage.map(({ productLine, stage, count, orMore }) => ({
        productLine,
        stage,
        late: count,
        ...told({ orMore }),
      })),
      stuck: stuck.map(
        ({ id, leadId, productLine, stage, days, daysLate, rep, dealer, installDay, ...card }) => ({
          id,
          leadId,
          productLine,
          stage,
          days,
          daysLate,
          rep,
          dealer,
          installDay,
          untrusted: { customer: card.customer, city: card.city },
        }),
      ),
      visits: home.visits.map(({ kind, day, projectId, productLine, ...visit }) => ({
        kind,
        day,
        projectId,
        productLine,
        untrusted: { customer: nameOf(visit), city: visit.city },
      })),
      waiting: {
        total: waiting.count,
        ...told(waiting),
        leads: leads.map(({ id, productLine, createdAt, rep, dealer, ...lead }) => ({
          id,
          productLine,
          createdAt,
          rep,
          dealer,
          untrusted: { customer: nameOf(lead), city: lead.city, source: lead.source },
        })),
      },
      more: [
        ...hidden(
          late,
          stuck.length,
          'late projects are not shown',
          'search with kind "project", a stage of late_by_stage and oldest_first: its rows have days_late',
        ),
        ...hidden(
          waiting,
          leads.length,
          'waiting leads are not shown',
          'search with kind "lead", status "new" and oldest_first',
        ),
      ],
    }
  },
})

const told = ({ orMore }: Pick<Figure, 'orMore'>) => (orMore ? { or_more: true } : {})

function hidden({ count, orMore }: Figure, shown: number, what: string, how: string): string[] {
  if (count <= shown && !orMore) return []
  const others = count - shown
  const number = orMore ? (others > 0 ? `At least ${others}` : 'Perhaps some') : `${others}`
  return [`${number} ${what}: send a limit of up to ${mostRows}, or call ${how}.`]
}

function nameOf({
  firstName,
  lastName,
}: {
  firstName: string | null
  lastName: string | null
}): string | null {
  return [firstName, lastName].filter(Boolean).join(' ') || null
}
