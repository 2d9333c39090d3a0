import { currentTime } from '../../../platform/clock.ts'
import type { Context } from '../../kernel/context.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import { fieldLabels } from './field-labels.ts'
import { type ImportField, projectFieldNames } from './fields.ts'
import type { Import, Problem } from './import.ts'
import type { Planning } from './plan-row.ts'
import type { FileRow, RowProblem } from './row-values.ts'
import { loadModels, noModels } from './sale-of-row.ts'

/** What the rows of an import are decided by. */
export async function planningOf(ctx: Context, directory: Directory, found: Import): Promise<Planning> {
  const sells = found.mapping.some((field) => field !== null && isProjectField(field))
  return {
    ctx,
    directory,
    models: sells ? await loadModels(ctx) : noModels,
    columnOf: (field) => columnOf(found, field),
  }
}

const isProjectField = (field: ImportField) => (projectFieldNames as ImportField[]).includes(field)

/** A field's column by its header; one that comes from no column by what the console calls it. */
function columnOf({ header, mapping }: Import, field: ImportField): string {
  const whole = field === 'firstName' || field === 'lastName' ? 'fullName' : field
  const column = mapping.includes(field) ? mapping.indexOf(field) : mapping.indexOf(whole)
  return header[column] || fieldLabels[field]
}

export function problemsOf(found: Import, { row }: FileRow, problems: readonly RowProblem[]): Problem[] {
  return problems.map(({ field, message, refused }) => ({
    row,
    column: field && columnOf(found, field),
    message,
    refused,
  }))
}

/** What works in an import's name: the person who began it, or the command line. */
export function contextFor(base: Pick<Context, 'db' | 'directories'>, found: Import): Context {
  return {
    ...base,
    now: currentTime(),
    actor: {
      kind: found.actorKind,
      id: found.actorId,
      name: found.actorName,
      installerId: found.installerId,
      companyId: found.companyId,
      companyKind: found.companyKind,
      canWrite: true,
    },
  }
}
