import type { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { within } from './within.ts'

/** What is sent is no form, or more than one may hold. The message completes "The form …". */
export class FormRefused extends Error {
  override name = 'FormRefused'
}

export interface FormTaker {
  field(name: string, value: string): void
  /** Takes the contents to their end before the next file comes. */
  file(name: string, fileName: string, contents: Readable): Promise<void>
}

/** The parser ends some turns of the event loop after its files, if it ends at all. */
const finishMs = 1_000
const limits = { fieldSize: 1_000, fields: 10, parts: 50, headerPairs: 20, headerSize: 8_192 }

/**
 * Reads a form (`multipart/form-data`) as it arrives, one part after the other: no more of a file is held than its taker
 * is behind. What the taker throws ends it; the rest is let go unread, as its sender reads the answer only then.
 */
export async function readForm(
  sent: Readable,
  contentType: string,
  maxFiles: number,
  taker: FormTaker,
): Promise<void> {
  const parser = parserOf(contentType, maxFiles)
  let failure: unknown = null
  const fail = (error: unknown) => {
    failure ??= error
  }
  const finished = new Promise<void>((resolve) => {
    parser.once('finish', resolve)
    parser.on('error', (error) => {
      fail(new FormRefused(`is broken off or damaged (${(error as Error).message})`))
      resolve()
    })
  })
  const open = new Set<Readable>()
  let files = Promise.resolve()
  // A part that the parser cannot read it leaves out without a word, and waits for ever for one whose headers do not end.
  let parts = 0
  let told = 0
  dicerOf(parser).on('part', () => {
    parts++
  })

  parser.on('field', (name, value, _nameCut, valueCut) => {
    told++
    try {
      if (valueCut) throw new FormRefused(`has a field of more than ${limits.fieldSize} bytes`)
      taker.field(name ?? '', value)
    } catch (error) {
      fail(error)
    }
  })
  parser.on('file', (name, contents, fileName) => {
    told++
    open.add(contents)
    // Whoever reads it is told; who waits for its turn asks `failure`.
    contents.on('error', fail)
    files = files.then(async () => {
      try {
        if (failure === null) await taker.file(name ?? '', fileName ?? '', contents)
      } catch (error) {
        fail(error)
      } finally {
        contents.resume()
        open.delete(contents)
      }
    })
  })
  parser.once('filesLimit', () => fail(new FormRefused(`has more than ${maxFiles} files`)))
  for (const event of ['partsLimit', 'fieldsLimit'] as const)
    parser.once(event, () => fail(new FormRefused('has more parts than it may')))

  try {
    // Written one by one, so that what the parser throws is thrown here: piped, it would end the process.
    for await (const chunk of sent.iterator({ destroyOnReturn: false })) {
      if (failure !== null) break
      await written(parser, chunk)
    }
    if (failure === null) {
      parser.end()
      await files
      const isWhole = await within(finishMs, finished)
      if (!isWhole || parts !== told) fail(new FormRefused('has a part without proper headers'))
    }
  } catch (error) {
    fail(error)
  } finally {
    sent.resume()
  }
  if (failure !== null) for (const contents of open) contents.destroy(failure as Error)
  await files
  if (failure !== null) throw failure
}

/** What finds the parts, inside of the parser. */
function dicerOf(parser: BusboyInstance): EventEmitter {
  return (parser as unknown as { _parser: { parser: EventEmitter } })._parser.parser
}

function parserOf(contentType: string, maxFiles: number): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: { ...limits, files: maxFiles } })
  } catch {
    throw new FormRefused('does not name its boundary')
  }
}

function written(parser: BusboyInstance, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}
