import type { Folder } from './file.ts'

/** What people call the folders of a project. */
export const folderNames: Record<Folder, string> = {
  contract: 'Contract',
  utilityBill: 'Utility bills',
  identification: 'Driver’s license',
  material: 'Materials',
  siteSurvey: 'Site survey',
  planset: 'Plan sets',
  permit: 'Permits',
  interconnection: 'Interconnection',
  other: 'Other documents',
  homeInsurance: 'Home insurance',
  installationPhoto: 'Installation photos',
  internal: 'Internal documents',
}
