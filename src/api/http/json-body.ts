import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { createJsonMeter, type JsonBounds, ordinaryBounds } from './json-meter.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

export interface JsonReading {
  /** Texts that stand under these names are clean, but as they were typed. */
  asTyped?: readonly string[]
  bounds?: JsonBounds
  /** Texts are left to the handler, which cleans the parts of a body one by one. */
  uncleaned?: boolean
}

/** Reads JSON bodies: strict UTF-8, none at all is fine, and every text is trimmed and clean. */
export function acceptJson(
  app: FastifyInstance,
  { asTyped = [], bounds = ordinaryBounds, uncleaned = false }: JsonReading = {},
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (_request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) => {
      if (body.length === 0) return done(null, undefined)
      try {
        createJsonMeter(bounds).add(body)
        const value = JSON.parse(decoder.decode(body))
        done(null, uncleaned ? value : clean(value, '', asTyped))
      } catch (error) {
        done(
          error instanceof DomainError
            ? error
            : new DomainError('invalid', 'The body is not valid JSON in UTF-8.'),
        )
      }
    },
  )
}

/** For what takes no body: whatever is sent is let go unread. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume()
    done(null)
  })
}

/** A part of a body with its texts trimmed and clean. */
export function cleaned(part: unknown): unknown {
  return clean(part, '', [])
}

/** Trims texts and refuses those that no database or client could hold. */
function clean(value: unknown, path: string, asTyped: readonly string[]): unknown {
  if (typeof value === 'string') {
    const cleaned = cleanText(value, path || 'The body')
    return asTyped.includes(path) ? value : cleaned
  }
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = clean(value[i], `${path}[${i}]`, asTyped)
    return value
  }
  const object = value as Record<string, unknown>
  for (const key of Object.keys(object)) {
    // Assigning it would set the prototype; left alone, it is refused as an unknown field.
    if (key === '__proto__') continue
    object[key] = clean(object[key], path ? `${path}.${key}` : key, asTyped)
  }
  return object
}

export function cleanText(text: string, name: string): string {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new DomainError('invalid', `${name}: the text must not hold NUL characters or lone surrogates.`)
  }
  return text.trim()
}
