import type { DomainError, FieldProblem } from '../../domain/kernel/domain-error.ts'

/** What became of the call is no field's concern. */
const ofTheCall = / Nothing was added\.$/
const aboutField = /^([a-z]\w*(?:\[\d+\]|\.\w+)*)(?:: | (?=(?:must|is|has|needs|come|comes) ))(.+)$/s

/** The fields that a refusal is about: those that it names, or those that its message begins with. */
export function fieldsOf(error: DomainError): readonly FieldProblem[] {
  if (error.fields) return error.fields
  if (error.code !== 'invalid') return []
  const fields: FieldProblem[] = []
  for (const clause of error.message.replace(ofTheCall, '').split('; ')) {
    const [, path, message] = aboutField.exec(clause) ?? []
    if (path && message) fields.push({ path, message })
    else if (fields.length > 0) fields.at(-1)!.message += `; ${clause}`
  }
  return fields.map(({ path, message }) => ({ path, message: message.replace(/\.$/, '') }))
}
