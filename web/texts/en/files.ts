import { folderNames } from '../../../src/domain/files/folder-names.ts'
import { common } from './common.ts'

export const files = {
  title: 'Files',
  folders: folderNames,
  add: 'Add files',
  addTo: (folder: string) => `Add files to ${folder}`,
  dropHere: 'Drop the files here',
  dropHint:
    'Drag files onto a folder, or choose them. Documents, pictures, audio and video up to 100 MB each.',
  emptyFolders: 'Empty folders',
  none: 'No files yet',
  noneNote: 'What is added to this project shows up here.',
  allOf: (folder: string) => `All files of ${folder}, on a page of their own`,
  more: 'There are older files: each folder’s own page lists all of them.',
  count: (count: number) => common.count(count, 'file', 'files'),
  previous: 'Previous picture',
  following: 'Next picture',
  download: 'Open the original',
  of: (at: number, of: number) => `${at} of ${of}`,

  remove: (name: string) => `Remove ${name}`,
  removeTitle: 'Remove this file?',
  removeNote: (name: string) =>
    `${name} is taken off the project for everybody, and its addresses answer no more. This cannot be undone.`,
  removeNow: 'Remove file',
  removed: (name: string) => `${name} was removed.`,

  uploads: 'Uploads',
  waiting: 'Waiting',
  sending: (percent: number) => `${percent}%`,
  checking: 'Checking …',
  added: 'Added',
  held: (name: string) => `The folder has this file already, as ${name}. It was not added again.`,
  tooLarge: (name: string) => `${name} is larger than 100 MB. Nothing was added.`,
  empty: (name: string) => `${name} is an empty file. Nothing was added.`,
  cut: 'The connection broke off. Nothing was added.',
  again: 'Try again',
  dismiss: (name: string) => `Take ${name} off this list`,
  stop: (name: string) => `Stop the upload of ${name}`,
  sizes: { bytes: 'bytes', kB: 'kB', MB: 'MB' } as const,
}
