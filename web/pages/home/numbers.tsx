import { Link } from '@tanstack/react-router'
import type { FigureResponse } from '../../../src/api/console/board.ts'
import type { HomeResponse } from '../../../src/api/console/home.ts'
import { common } from '../../texts/en/common.ts'
import { home as texts } from '../../texts/en/home.ts'
import { classes } from '../../ui/classes.ts'

const tile =
  'flex h-full flex-col rounded-xl border border-line bg-surface px-4 py-3 shadow-card transition-colors hover:border-line-strong/60'

/** The day at a glance: each number leads to what it counts. */
export function Numbers({ home: { waiting, late, visits } }: { home: HomeResponse }) {
  const visitsOf = (kind: string) => ({
    count: visits.filter((visit) => visit.kind === kind).length,
    orMore: false,
  })
  const { solar, hi } = common.lines
  return (
    <ul aria-label={texts.numbers} className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <li className="max-sm:col-span-2">
        <Link to="/leads" search={{ status: 'new' }} className={tile}>
          <Figure label={texts.newLeads} value={waiting.total} note={texts.newLeadsNote} />
        </Link>
      </li>
      <li>
        <Link to="/board" search={{ late: 'yes', sort: 'longest' }} className={tile}>
          <Figure label={texts.late(solar)} value={late.solar} note={texts.lateNote} bad />
        </Link>
      </li>
      <li>
        <Link to="/board" search={{ line: 'hi', late: 'yes', sort: 'longest' }} className={tile}>
          <Figure label={texts.late(hi)} value={late.hi} note={texts.lateNote} bad />
        </Link>
      </li>
      <li>
        <Link to="/calendar" search={{ kind: 'survey' }} className={tile}>
          <Figure label={texts.surveys} value={visitsOf('survey')} note={texts.weekNote} />
        </Link>
      </li>
      <li>
        <Link to="/calendar" search={{ kind: 'install' }} className={tile}>
          <Figure label={texts.installs} value={visitsOf('install')} note={texts.weekNote} />
        </Link>
      </li>
    </ul>
  )
}

interface FigureProps {
  label: string
  value: FigureResponse
  note: string
  /** Where every one is one too many. */
  bad?: boolean
}

function Figure({ label, value, note, bad }: FigureProps) {
  return (
    <>
      <span className="flex-1 text-[0.87rem] text-ink-soft">{label}</span>
      <span
        className={classes(
          'text-[1.7rem] leading-tight font-semibold tracking-tight tabular-nums',
          bad && value.count > 0 && 'text-bad',
        )}
      >
        {common.atLeast(value)}
      </span>
      <span className="text-[0.8rem] text-ink-soft">{note}</span>
    </>
  )
}
