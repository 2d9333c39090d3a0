import { DomainError } from '../../kernel/domain-error.ts'

/** What a caller keeps with a panel. */
export type Metadata = Record<string, unknown>

const maxBytes = 16_384
const maxDepth = 16

/** Refuses what could not be kept, or not be read back as it was sent. */
export function checkMetadata(metadata: Metadata): void {
  checkValue(metadata, 'metadata', 0)
  checkSize(metadata)
}

function checkValue(value: unknown, path: string, depth: number): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw refusal(path, 'the number is too large')
  if (value === null || typeof value !== 'object') return
  if (depth === maxDepth) throw refusal('metadata', 'it is nested too deep')
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__') throw refusal(path, '__proto__ cannot be a name')
    if (name.includes('\0') || !name.isWellFormed()) {
      throw refusal(path, 'a name must not hold NUL characters or lone surrogates')
    }
    checkValue(inner, `${path}.${name.slice(0, 100)}`, depth + 1)
  }
}

function checkSize(metadata: Metadata): string {
  const text = JSON.stringify(metadata)
  if (Buffer.byteLength(text) > maxBytes) throw refusal('metadata', 'it must have at most 16 KiB as JSON')
  return text
}

function refusal(path: string, problem: string): DomainError {
  return new DomainError('invalid', `${path}: ${problem}.`)
}

/** What is kept once `sent` has come: its names are set, and a null removes one. */
export function mergedMetadata(kept: Metadata, sent: Metadata): Metadata {
  const merged = { ...kept }
  for (const [name, value] of Object.entries(sent)) {
    if (value === null) delete merged[name]
    else merged[name] = value
  }
  // Read back from its JSON, so that it compares equal to what is read later.
  return JSON.parse(checkSize(merged))
}
