import { fieldLabels } from '../../../src/domain/data/imports/field-labels.ts'
import { common } from './common.ts'

const leads = (count: number) => common.count(count, 'lead', 'leads')
const rows = (count: number) => common.count(count, 'row', 'rows')

export const imports = {
  title: 'Import',
  note: 'Bring in leads and projects from another system, as CSV or XLSX.',
  drop: 'Drop a CSV or XLSX file here',
  dropNote:
    'The first row must have the column names. Up to 200 MB and 500,000 rows. You’ll review everything before it’s imported.',
  choose: 'Choose a file',
  sending: (name: string, percent: number) =>
    percent < 100 ? `Uploading ${name}: ${percent}%` : `Reading ${name} …`,
  tooLarge: (name: string) => `${name} is larger than 200 MB. Split it into several files.`,
  cut: 'The connection was lost during the upload. Upload it again.',
  history: 'Past imports',
  empty: 'No imports yet',
  emptyNote: 'Your imports are listed here and can be undone.',
  exportTitle: 'Export everything',
  exportNote: 'Whoever runs the server can write all of your company’s data to a folder:',
  exportCommand: (company: string) => `npx sunstead export --company ${company} --to ./export`,
  back: 'All imports',
  by: (name: string) => `by ${name}`,

  states: {
    mapping: 'Not checked yet',
    checking: 'Checking',
    checked: 'Checked',
    running: 'Running',
    stopped: 'Stopped',
    done: 'Imported',
    undoing: 'Undoing',
    undone: 'Undone',
    failed: 'Failed',
  } as const,

  columns: 'Match columns',
  columnsNote: 'Matched from the headers, or as you chose last time. Change anything that isn’t right.',
  column: 'Column in file',
  samples: 'Example',
  field: 'Field',
  fieldOf: (column: string) => `Field for ${column}`,
  unnamed: (place: number) => `Column ${place}`,
  leftOut: 'Skip',
  check: 'Check file',
  checkNote: 'Reads every row and shows what will happen. Nothing is imported yet.',
  checkAgain: 'Change columns',
  aboutLead: 'Lead',
  aboutProject: 'Project',

  checkingTitle: 'Checking the file',
  runningTitle: 'Importing',
  undoingTitle: 'Undoing the import',
  progress: (done: number, total: number) => `${formatted(done)} of ${rows(total)}`,
  undoProgress: (done: number, total: number) => `${formatted(done)} of ${leads(total)}`,

  report: 'What will happen',
  reportDone: 'Results',
  made: 'new',
  updated: 'updated',
  unchanged: 'unchanged',
  refused: 'with errors',
  updateNote: 'Rows with a known external ID update that lead. Empty cells change nothing.',
  quietNote: 'Nobody is alerted about imported projects, and customers get no email.',
  start: (count: number) => `Import ${rows(count)}`,
  startAgain: (count: number) => `Import ${rows(count)} again`,
  same: (when: string, by: string) => `These rows were imported before, ${when} by ${by}, as`,
  sameMakes: (made: number) => `${leads(made)} would be created a second time.`,
  sameUpdates: 'Nothing would be duplicated: these leads are matched by external ID.',
  startRefused: (count: number) => `${rows(count)} with errors will be skipped.`,
  nothing: 'None of the rows can be imported. Fix the file, or change the columns.',
  goOn: 'Continue',
  firstRows: 'First rows',
  row: 'Row',
  outcome: 'Result',
  outcomes: { made: 'New', updated: 'Updated', unchanged: 'Unchanged', refused: 'Error' } as const,

  problems: 'What to fix in the file',
  problemsNote: (shown: number, all: number) =>
    shown < all
      ? `The first ${formatted(shown)} of ${formatted(all)}.`
      : common.count(all, 'issue', 'issues'),
  wholeRow: 'Whole row',
  message: 'What to fix',
  takenAnyway: 'Imported anyway',
  download: 'Download all as CSV',

  undo: 'Undo this import',
  undoTitle: 'Undo this import?',
  undoNote: (made: number) =>
    `${leads(made)} it created will be archived, with ${made === 1 ? 'its' : 'their'} projects.`,
  undoChanged: (changed: number) =>
    `${leads(changed)} of them ${changed === 1 ? 'was' : 'were'} changed since. They are archived too.`,
  undoUpdated: (updated: number) =>
    `${leads(updated)} it updated ${updated === 1 ? 'keeps its' : 'keep their'} new values.`,
  undoConfirm: 'Undo import',
  undoneNote: (undone: number, changed: number) =>
    `${leads(undone)} archived${changed > 0 ? `, ${formatted(changed)} of them changed since the import` : ''}.`,
  undoneUpdated: (updated: number) =>
    `${leads(updated)} it updated kept ${updated === 1 ? 'its' : 'their'} new values.`,
  seeLeads: 'View leads',
  another: 'Import another file',

  fields: fieldLabels,
}

function formatted(count: number): string {
  return count.toLocaleString('en-US')
}
