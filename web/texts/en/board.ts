import type { ColumnResponse } from '../../../src/api/console/board.ts'
import { common } from './common.ts'

type Counted = Pick<ColumnResponse, 'total' | 'late'>

/** Of one stage or of several. */
const figure = (of: 'total' | 'late', columns: readonly Counted[]) => ({
  count: columns.reduce((all, column) => all + column[of].count, 0),
  orMore: columns.some((column) => column[of].orMore),
})
const projects = (of: 'total' | 'late', ...columns: readonly Counted[]) =>
  common.counted(figure(of, columns), 'project', 'projects')

export const board = {
  title: 'Board',
  line: 'Product line',
  search: 'Search the board',
  searchHint: 'Name, address, phone, id …',
  filters: 'Filters',
  rep: 'Sales rep',
  everyRep: 'All reps',
  company: 'Company',
  everyCompany: 'All companies',
  sort: 'Sort by',
  sorts: { recent: 'Recently moved', longest: 'Longest in stage' } as const,
  late: 'Late only',
  summary: (columns: readonly Counted[]) =>
    `${projects('total', ...columns)}${figure('late', columns).count > 0 ? `, ${common.atLeast(figure('late', columns))} late` : ''}`,
  columns: 'Stages',
  column: (stage: string, column: Counted) => `${stage}, ${projects('total', column)}`,
  total: (column: Counted) => common.atLeast(column.total),
  lateCount: (column: Counted) => `${common.atLeast(column.late)} late`,
  lateCountLong: (column: Counted) => `${projects('late', column)} late`,
  allowed: (days: number) => `${common.count(days, 'day', 'days')} allowed`,
  retired: 'No longer in use',
  noCards: 'No projects here',
  noCardsFiltered: 'No matches',
  loadingMore: 'Loading more',
  moreFailed: 'Couldn’t load more cards.',
  empty: 'Nothing on the board yet',
  emptyNote: 'When a lead is marked as sold, it becomes a project and appears here in the first stage.',
  toLeads: 'Go to leads',
  nothingFits: 'No projects match these filters',
  nothingFitsNote: 'Try a shorter search, or clear the filters.',
  unnamed: 'Unnamed customer',
  days: (days: number) => (days === 0 ? 'Today' : `${days} d`),
  daysLong: (days: number) => `In this stage for ${common.count(days, 'day', 'days')}`,
  isLate: 'late',
  install: (day: string) => `Install ${day}`,
  kw: (size: string) => `${size} kW`,
  move: (customer: string) => `Move ${customer} to another stage`,
  moveTo: 'Move to',
  drag: (customer: string) => `Drag ${customer}`,
  moved: (customer: string, stage: string) => `${customer} is now in ${stage}.`,
  howToDrag:
    'To move a card by keyboard, press Space, choose the stage with the left and right arrow keys, and press Space again. Escape leaves it where it was.',
  picked: (customer: string) => `Picked up ${customer}. Choose a stage with the left and right arrow keys.`,
  over: (customer: string, stage: string) => `${customer} is over ${stage}.`,
  overNothing: (customer: string) => `${customer} is over no stage.`,
  dropped: (customer: string, stage: string) => `${customer} was dropped on ${stage}.`,
  droppedNowhere: (customer: string) => `${customer} stays where it was.`,
}
