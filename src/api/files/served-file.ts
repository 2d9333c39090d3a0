import { findFileByToken, type ServedFile } from '../../domain/deals/files/queries.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { findInstallerNumbered } from '../../domain/kernel/tenant/queries.ts'
import type { Db } from '../../platform/db.ts'

/** The parts of an address that finds a file; its name is there for people and their browsers. */
export interface FileParams {
  number: string
  token: string
  name: string
}

/** The installer's number in an address, null where it cannot be one. */
export function numberOf(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

const findInstaller = (db: Db, text: string) => {
  const number = numberOf(text)
  return number === null ? null : findInstallerNumbered(db, { number })
}

/** The file that an address names; unknown, altered and revoked ones are told apart by nobody. */
export async function findServedFile(db: Db, { number, token }: FileParams): Promise<ServedFile> {
  const installer = /^[\w-]{20,64}$/.test(token) ? await findInstaller(db, number) : null
  const file = installer ? await findFileByToken(db, { ...installer, token }) : null
  if (!file) throw notFound('file')
  return file
}
