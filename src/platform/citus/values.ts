/** A value as PostgreSQL reads it from text. */
export function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (Array.isArray(value)) return `{${value.map(inArray).join(',')}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function inArray(value: unknown): string {
  if (Array.isArray(value)) return asText(value)!
  const text = asText(value)
  return text === null ? 'NULL' : `"${text.replace(/[\\"]/g, '\\$&')}"`
}
