export const folders = [
  'contract',
  'utilityBill',
  'identification',
  'material',
  'siteSurvey',
  'planset',
  'permit',
  'interconnection',
  'other',
  'homeInsurance',
  'installationPhoto',
  'internal',
] as const
export type Folder = (typeof folders)[number]

/** What a project's rendering needs of a file. */
export interface FileEntry {
  id: string
  folder: Folder
  name: string
  token: string
}

/** Where a file is served: the installer's number finds the tenant, the token cannot be guessed. */
export function filePath(installerNumber: number, file: { token: string; name: string }): string {
  return `/files/${installerNumber}/${file.token}/${lastPart(file.name)}`
}

/** Where a small picture of it is served, if it is a picture. */
export function thumbnailPath(installerNumber: number, file: { token: string; name: string }): string {
  return `/thumbnails/${installerNumber}/${file.token}/${lastPart(file.name)}`
}

function lastPart(name: string): string {
  // A name of dots alone would be taken as a way up.
  return /^\.{1,2}$/.test(name) ? 'file' : encodeURIComponent(name)
}
