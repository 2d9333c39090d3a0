import type { Folder } from '../../kernel/folder.ts'
import { isObject, own } from './answers.ts'
import type { Reader } from './reader.ts'

/** The legacy API's folders. What it calls personal goes where papers of a person are: fewer may read that. */
const folderOf: Record<string, Folder> = {
  surveyFiles: 'siteSurvey',
  personalFiles: 'identification',
  utilityBills: 'utilityBill',
  insuranceFiles: 'homeInsurance',
  driverLicense: 'identification',
  installationPhotos: 'installationPhoto',
  plansets: 'planset',
  materials: 'material',
  otherDocuments: 'other',
  interconnection: 'interconnection',
  permits: 'permit',
  internalDocuments: 'internal',
}

export interface FileAddress {
  folder: Folder
  url: string
  /** As the legacy API names it. */
  field: string
}

const maxAddresses = 2_000

/** Where a project's files are: of a solar one each folder has one address, of home improvement any number. */
export function filesOf(reader: Reader): FileAddress[] {
  const found: FileAddress[] = []
  const add = (folder: Folder, field: string, value: unknown) => {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === null || one === undefined || one === '') continue
      if (typeof one !== 'string') reader.leaveOut(field, 'it is no address')
      else if (found.length < maxAddresses) found.push({ folder, field, url: one.trim() })
      else return reader.leaveOut(field, `a project has more than ${maxAddresses} addresses`)
    }
  }
  add('contract', 'contractURL', reader.value('contractURL'))
  const all = reader.value('allFilesURL')
  if (isObject(all))
    for (const [name, folder] of Object.entries(folderOf)) add(folder, `allFilesURL.${name}`, own(all, name))
  return found
}
