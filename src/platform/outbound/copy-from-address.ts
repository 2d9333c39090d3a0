import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { byteMeter, maxFileBytes, tooLarge } from '../contents/byte-meter.ts'
import { type ContentType, sniffFile } from '../contents/content-type.ts'
import { hasProgramName, programMessage, webPageMessage } from '../contents/program-signs.ts'
import { type FileStore, newFileKey } from '../file-store.ts'
import { createWaitingLine, LineFull } from '../waiting-line.ts'
import { contentDecoders, isDecodingError } from './content-decoding.ts'
import { explainOutboundFailure } from './failure.ts'
import type { Outbound, OutboundAnswer } from './http.ts'
import { ContentRefused, OutboundRefused } from './refused.ts'

export type CopiedFile = ContentType & { key: string; size: number; sha256: string }

export type Copier = {
  /** Rejects with `Refused` when the address or what it holds is not taken, leaving nothing behind. */
  copy(file: { url: string; name: string; signal?: AbortSignal }): Promise<CopiedFile>
}

export type CopierOptions = {
  outbound: Outbound
  store: FileStore
  maxBytes?: number
  /** For each copy, counted from when its turn comes. */
  timeoutMs?: number
  concurrency?: number
  maxWaiting?: number
}

/** More copies are waiting than could be made in a reasonable time; the same call may pass later. */
export class CopierBusy extends Error {
  override name = 'CopierBusy'
}

export function createCopier({
  outbound,
  store,
  maxBytes = maxFileBytes,
  timeoutMs = 60_000,
  concurrency = 4,
  maxWaiting = 200,
}: CopierOptions): Copier {
  const inLine = createWaitingLine({ concurrency, maxWaiting })

  async function copyNow(url: string, name: string, givenUp?: AbortSignal): Promise<CopiedFile> {
    const temp = await store.tempFile()
    const deadline = new AbortController()
    const timer = setTimeout(
      () => deadline.abort(new OutboundRefused(`took longer than ${timeoutMs / 1000} seconds to copy`)),
      timeoutMs,
    )
    const signal = givenUp ? AbortSignal.any([givenUp, deadline.signal]) : deadline.signal
    try {
      const { size, sha256 } = await download(url, temp.path, signal)
      const content = await sniffFile(temp.path, { name })
      signal.throwIfAborted()
      const key = newFileKey()
      await store.put(key, temp.path)
      return { key, size, sha256, ...content }
    } catch (error) {
      throw explainOutboundFailure(error, signal)
    } finally {
      clearTimeout(timer)
      await temp.discard()
    }
  }

  async function download(url: string, path: string, signal: AbortSignal) {
    const answer = await outbound.open(url, {
      signal,
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
    })
    try {
      checkAnswer(answer, maxBytes)
      const decoders = contentDecoders(answer.headers['content-encoding'])
      const packed = byteMeter(maxBytes)
      const plain = byteMeter(maxBytes, true)
      await pipeline([answer.body, packed.stage, ...decoders, plain.stage, createWriteStream(path)], {
        signal,
      })
      return plain.result()
    } catch (error) {
      if (isDecodingError(error)) throw new OutboundRefused('leads to a server that packs the file wrongly')
      throw error
    } finally {
      answer.body.on('error', () => {}).destroy()
    }
  }

  return {
    async copy({ url, name, signal }) {
      const { pathname } = outbound.check(url)
      if (hasProgramName(name) || hasProgramName(lastName(pathname))) throw new ContentRefused(programMessage)
      try {
        return await inLine(() => copyNow(url, name, signal), signal)
      } catch (error) {
        throw error instanceof LineFull ? new CopierBusy('too many files are being copied') : error
      }
    },
  }
}

function checkAnswer({ status, headers, finalUrl }: OutboundAnswer, maxBytes: number): void {
  if (status === 401 || status === 403) {
    throw new OutboundRefused(`must open without signing in; it answered ${status}`)
  }
  if (status < 200 || status > 299) throw new OutboundRefused(`answered ${status} instead of the file`)
  if (status === 206) throw new OutboundRefused('answered with a part of the file only')
  if (/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(String(headers['content-type'] ?? ''))) {
    throw new ContentRefused(webPageMessage)
  }
  if (hasProgramName(lastName(finalUrl.pathname))) throw new ContentRefused(programMessage)
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

function lastName(pathname: string): string {
  const name = pathname.slice(pathname.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
