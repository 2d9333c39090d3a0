import type { ProductLine } from '../../kernel/tenant/stage.ts'
import type { Outcome } from '../imports/import.ts'

export const recordKinds = ['lead', 'project'] as const
export type RecordKind = (typeof recordKinds)[number]

/** A server that speaks the legacy API and whose records are read there, for one company here. */
export interface LegacySource {
  installerId: string
  id: string
  companyId: string
  baseUrl: string
  /** `installer_id=…` or `org_id=…`. */
  scope: string
  walk: number
  list: string | null
  page: number | null
  runner: string
}

/** Something about a record that did not come over, or not as it was. */
export interface LegacyProblem {
  /** As the legacy API names it; empty where it is about the whole record. */
  field: string
  message: string
}

/** By field, the hash of what was last taken over. */
export type Marks = Readonly<Record<string, string>>

/** What became of a record. */
export interface LegacyRecord {
  kind: RecordKind
  productLine: ProductLine
  legacyId: string
  /** Null where it was refused. */
  leadId: string | null
  linkKey: string | null
  customerKey: string | null
  marks: Marks
  walk: number
  outcome: Outcome
  problems: LegacyProblem[]
  /** How many were copied. */
  files: number
}

export interface LegacyList {
  /** The operation that lists them by installer or by company, and the one that reads one. */
  byInstaller: string
  byCompany: string
  one: string
  kind: RecordKind
  productLine: ProductLine
}

/** Leads first: a project finds the lead that it was. */
export const legacyLists: readonly LegacyList[] = [
  {
    byInstaller: 'fetch_all_lead_installer',
    byCompany: 'fetch_all_lead',
    one: 'fetch_lead',
    kind: 'lead',
    productLine: 'solar',
  },
  {
    byInstaller: 'fetch_all_lead_hi_installer',
    byCompany: 'fetch_all_lead_hi',
    one: 'fetch_lead_hi',
    kind: 'lead',
    productLine: 'hi',
  },
  {
    byInstaller: 'fetch_all_project_installer',
    byCompany: 'fetch_all_project',
    one: 'fetch_project',
    kind: 'project',
    productLine: 'solar',
  },
  {
    byInstaller: 'fetch_all_project_installer_hi',
    byCompany: 'fetch_all_project_hi',
    one: 'fetch_project_hi',
    kind: 'project',
    productLine: 'hi',
  },
]
