import { folderNames } from '../../../src/domain/kernel/folder.ts'
import { common } from './common.ts'

export const files = {
  title: 'Files',
  folders: folderNames,
  add: 'Add files',
  addTo: (folder: string) => `Add files to ${folder}`,
  dropHere: 'Drop files here',
  dropHint:
    'Drag files onto a folder, or choose them. Documents, pictures, audio and video up to 100 MB each.',
  emptyFolders: 'Empty folders',
  none: 'No files yet',
  noneNote: 'Files added to this project show up here.',
  allOf: (folder: string) => `All ${folder} files on one page`,
  more: 'There are older files. Open a folder’s page to see all of them.',
  count: (count: number) => common.count(count, 'file', 'files'),
  previous: 'Previous picture',
  following: 'Next picture',
  download: 'Open the original',
  of: (at: number, of: number) => `${at} of ${of}`,

  remove: (name: string) => `Remove ${name}`,
  removeTitle: 'Remove this file?',
  removeNote: (name: string) =>
    `${name} is removed from the project for everyone, and links to it stop working. This can’t be undone.`,
  removeNow: 'Remove file',
  removed: (name: string) => `${name} was removed.`,

  uploads: 'Uploads',
  waiting: 'Waiting',
  sending: (percent: number) => `${percent}%`,
  checking: 'Checking …',
  added: 'Added',
  held: (name: string) => `This folder already has the file, as ${name}. It wasn’t added again.`,
  tooLarge: (name: string) => `${name} is larger than 100 MB. Nothing was added.`,
  empty: (name: string) => `${name} is an empty file. Nothing was added.`,
  cut: 'The connection was lost. Nothing was added.',
  again: 'Try again',
  dismiss: (name: string) => `Remove ${name} from this list`,
  stop: (name: string) => `Cancel upload of ${name}`,
  sizes: { bytes: 'bytes', kB: 'kB', MB: 'MB' } as const,
}
