/** What is sent. */
export interface Body {
  contentType: string
  /** For each attempt anew. */
  open(): string | Blob | Bytes
  /** Whether there can be a second attempt. */
  isRepeatable: boolean
}

type Bytes = ReadableStream<Uint8Array>

/** The contents of a file. A stream can be read once: give a function that opens it, and the call can be tried again. */
export type FileContent = Blob | Uint8Array | Bytes | (() => Bytes)

export interface FileUpload<Folder extends string = string> {
  folder: Folder
  /** 1 to 10 of at most 100 MB each. */
  files: { name: string; content: FileContent; type?: string | undefined }[]
}

type Some<T> = Iterable<T> | AsyncIterable<T>

/** Sent line by line as they come, in any number. They can be gone through once: give a function, and the call can be tried again. */
export type Lines<T> = Some<T> | (() => Some<T>)

export const jsonBody = (value: unknown): Body => {
  const text = JSON.stringify(value)
  return { contentType: 'application/json', open: () => text, isRepeatable: true }
}

export const isUpload = (value: object): value is FileUpload =>
  'files' in value && Array.isArray(value.files) && value.files.some((file) => file?.content !== undefined)

export const isLines = (value: object): value is Lines<unknown> =>
  typeof value === 'function' || Symbol.iterator in value || Symbol.asyncIterator in value

const text = new TextEncoder()

/** A form that is written here, as the one of the runtime can hold no stream. */
export function formBody({ folder, files }: FileUpload): Body {
  const boundary = `sunstead-${crypto.randomUUID()}`
  const head = (name: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
  const parts: (string | FileContent)[] = [head('folder'), `${folder}\r\n`]
  for (const { name, content, type = 'application/octet-stream' } of files) {
    if (!content) throw new TypeError(`files: ${name} has no content. Send addresses by a call of their own`)
    parts.push(
      head('files', `; filename="${escaped(name)}"\r\ncontent-type: ${escaped(type)}`),
      content,
      '\r\n',
    )
  }
  parts.push(`--${boundary}--\r\n`)
  const contentType = `multipart/form-data; boundary=${boundary}`
  // A Blob has a length, and a runtime reads one that stands for a file on disk as it is sent.
  if (parts.every((part) => !isStreamed(part))) {
    const blob = new Blob(parts as (string | Blob | Uint8Array<ArrayBuffer>)[])
    return { contentType, open: () => blob, isRepeatable: true }
  }
  return {
    contentType,
    open: () => streamOf(contentsOf(parts)),
    isRepeatable: parts.every((part) => !(part instanceof ReadableStream)),
  }
}

const isStreamed = (part: string | FileContent) =>
  part instanceof ReadableStream || typeof part === 'function'

const escaped = (name: string) => name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')

async function* contentsOf(parts: (string | FileContent)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (typeof part === 'string') yield text.encode(part)
    else if (part instanceof Uint8Array) yield part
    else yield* chunksOf(part instanceof Blob ? part.stream() : typeof part === 'function' ? part() : part)
  }
}

/** Not every runtime can go through a stream by `for await`. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

const chunkLength = 65_536
const longestWaitMs = 1_000

export function linesBody(lines: Lines<unknown>): Body {
  return {
    contentType: 'application/x-ndjson',
    open: () => streamOf(encodedLines(typeof lines === 'function' ? lines() : lines)),
    // An array can be gone through again, a generator can not.
    isRepeatable: typeof lines === 'function' || Array.isArray(lines),
  }
}

async function* encodedLines(lines: Some<unknown>): AsyncGenerator<Uint8Array> {
  let waiting = ''
  let since = Date.now()
  for await (const line of lines) {
    waiting += `${JSON.stringify(line)}\n`
    // Those that come slowly are not kept: the server hangs up on a call that brings nothing for a minute.
    if (waiting.length < chunkLength && Date.now() - since < longestWaitMs) continue
    yield text.encode(waiting)
    waiting = ''
    since = Date.now()
  }
  if (waiting !== '') yield text.encode(waiting)
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): Bytes {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}
