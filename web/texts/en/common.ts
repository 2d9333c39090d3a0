import type { FigureResponse } from '../../../src/api/console/board.ts'

// Made once: doing so for each number is what takes long.
const numbers = new Intl.NumberFormat('en-US')

/** One more stands for any number above it (src/domain/kernel/counted.ts). */
const countedUpTo = 1_000

/** Where none was met among those that were looked at, nobody knows how many there are. */
const atLeast = ({ count, orMore }: FigureResponse) =>
  count === 0 && orMore ? '…' : `${numbers.format(count)}${orMore ? '+' : ''}`
const figureUpTo = (most: number, counts: readonly number[]) =>
  atLeast({
    count: counts.reduce((all, count) => all + Math.min(count, most), 0),
    orMore: counts.some((count) => count > most),
  })

export const common = {
  product: 'Sunstead',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  saved: 'Saved.',
  edit: 'Edit',
  add: 'Add',
  remove: 'Remove',
  back: 'Back',
  next: 'Next',
  more: 'More',
  loading: 'Loading',
  messages: 'Messages',
  failed: 'Something went wrong',
  tryAgain: 'Try again',
  showMore: 'Show more',
  moreFailed: 'Couldn’t load more.',
  looking: 'Looking …',
  noneAmongFirst: (looked: number) => `None of yours among the first ${numbers.format(looked)} looked at.`,
  noneAmongNext: (looked: number) => `No others among the next ${numbers.format(looked)} looked at.`,
  lookFurther: 'Look further',
  clearFilters: 'Clear filters',
  none: 'None',
  yes: 'Yes',
  no: 'No',
  nobody: 'Nobody',
  unknown: 'Unknown',
  notFound: 'Page not found',
  notFoundNote: 'The page or record does not exist, or it is not one of yours.',
  goHome: 'Go to Home',
  lines: { solar: 'Solar', hi: 'Home improvement' } as const,
  roles: {
    owner: 'Owner',
    admin: 'Admin',
    manager: 'Manager',
    rep: 'Sales rep',
    setter: 'Setter',
    surveyor: 'Surveyor',
    subcontractor: 'Subcontractor',
  } as const,
  count: (count: number, one: string, many: string) => `${numbers.format(count)} ${count === 1 ? one : many}`,
  /** What the server counts only so far, and several of such together. */
  figure: (...counts: number[]) => figureUpTo(countedUpTo, counts),
  figureUpTo,
  atLeast,
  counted: (figure: FigureResponse, one: string, many: string) =>
    `${atLeast(figure)} ${atLeast(figure) === '1' ? one : many}`,
}
