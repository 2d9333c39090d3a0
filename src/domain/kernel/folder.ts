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

export function isFolder(text: string): text is Folder {
  return (folders as readonly string[]).includes(text)
}

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
