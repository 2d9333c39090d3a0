import type { Context } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { fieldLabels } from './field-labels.ts'
import { eitherOr, isImportField } from './fields.ts'
import type { Mapping } from './guess-mapping.ts'
import { forgetProgress, lockImport, moveImport, saveMapping } from './queries.ts'
import { workOn } from './work-on.ts'

const open = ['mapping', 'checking', 'checked']

/** Lets the whole file be read with these columns, to see what it would do. `mapping` names the field of each column. */
export async function checkImport(
  ctx: Context,
  id: string,
  mapping: readonly (string | null)[],
  heldUntil?: Date,
): Promise<void> {
  const { db, actor, now } = ctx
  authorize(actor, 'imports.run')
  await db.transaction(async (tx) => {
    const found = await lockImport(tx, actor, id)
    if (!found) throw notFound('import')
    if (!open.includes(found.state))
      throw new DomainError(
        'invalid',
        'This import has begun already. Upload the file again to import it anew.',
      )
    const checked = checkMapping(mapping, found.header.length)
    await saveMapping(tx, actor, id, checked)
    await forgetProgress(tx, found)
    await moveImport(tx, found, 'checking')
    await workOn(tx, actor, now, found, found.rowsTotal, heldUntil)
  })
}

function checkMapping(mapping: readonly (string | null)[], columns: number): Mapping {
  if (mapping.length !== columns)
    throw new DomainError('invalid', `mapping must have one entry for each of the ${columns} columns.`)
  const checked = mapping.map((field) => {
    if (field === null || isImportField(field)) return field
    throw new DomainError('invalid', `mapping: there is no field "${field.slice(0, 100)}".`)
  })
  const fields = checked.filter((field) => field !== null)
  const twice = fields.find((field, i) => fields.indexOf(field) !== i)
  if (twice)
    throw new DomainError(
      'invalid',
      `${fieldLabels[twice]} is filled by two columns. Choose one of them, and leave out the other.`,
    )
  if (fields.length === 0) throw new DomainError('invalid', 'Choose what at least one column fills.')
  for (const [whole, parts] of eitherOr) {
    const part = fields.find((field) => parts.includes(field))
    if (part && fields.includes(whole))
      throw new DomainError(
        'invalid',
        `${fieldLabels[whole]} and ${fieldLabels[part]} say the same. Choose one of them.`,
      )
  }
  return checked
}
