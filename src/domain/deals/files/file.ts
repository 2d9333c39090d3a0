import { cleanFileName } from '../../../platform/file-name.ts'
import type { Folder } from '../../kernel/folder.ts'

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

const addressForms =
  /(\/(?:files|thumbnails)\/\d+|\/folders\/\d+\/proj_\w+\/\w+|\/proposals|\/shared\/\d+)\/[\w-]{20,64}/g

/** A text with the addresses of files, folders and proposals in it, but not what opens them. */
export function withoutTokens(text: string): string {
  return text.replace(addressForms, '$1/…')
}
