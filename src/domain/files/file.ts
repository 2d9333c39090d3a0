import { cleanFileName } from '../../platform/file-name.ts'

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

/** Names that were kept before they were cleaned are still there. */
function lastPart(name: string): string {
  return encodeURIComponent(cleanFileName(name))
}
