import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { byteMeter, maxFileBytes, tooLarge } from '../contents/byte-meter.ts'
import { type ContentType, sniffFile } from '../contents/content-type.ts'
import { hasProgramName, programMessage, webPageMessage } from '../contents/program-signs.ts'
import { type FileStore, newFileKey } from '../file-store/file-store.ts'
import { contentDecoders, isDecodingError } from './content-decoding.ts'
import { explainOutboundFailure } from './failure.ts'
import type { Outbound, OutboundAnswer } from './http.ts'
import { ContentRefused, OutboundRefused, OutboundUnavailable } from './refused.ts'

export type CopiedFile = ContentType & { key: string; size: number; sha256: string }

export type Copier = {
  /** Rejects with `Refused` when the address or what it holds is not taken, leaving nothing behind. */
  copy(file: { url: string; name: string; signal?: AbortSignal }): Promise<CopiedFile>
}

export type CopierOptions = {
  outbound: Outbound
  store: FileStore
  maxBytes?: number
  /** How long a server may send nothing. */
  silenceMs?: number
  /** For all of a copy. */
  totalMs?: number
}

/** What no copy takes longer than: a file of the largest size arrives at 175 kB a second. */
export const longestCopyMs = 600_000

export function createCopier({
  outbound,
  store,
  maxBytes = maxFileBytes,
  silenceMs = 15_000,
  totalMs = longestCopyMs,
}: CopierOptions): Copier {
  async function copyNow(url: string, name: string, givenUp?: AbortSignal): Promise<CopiedFile> {
    const temp = await store.tempFile()
    const limits = limitTime(silenceMs, totalMs)
    const signal = givenUp ? AbortSignal.any([givenUp, limits.signal]) : limits.signal
    try {
      const { size, sha256 } = await download(url, temp.path, signal, limits.heard)
      limits.end()
      const content = await sniffFile(temp.path, { name })
      signal.throwIfAborted()
      const key = newFileKey()
      await store.put(key, temp.path)
      return { key, size, sha256, ...content }
    } catch (error) {
      throw explainOutboundFailure(error, signal)
    } finally {
      limits.end()
      await temp.discard()
    }
  }

  async function download(url: string, path: string, signal: AbortSignal, heard: () => void) {
    const answer = await outbound.open(url, {
      signal,
      onAnswer: heard,
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
    })
    try {
      checkAnswer(answer, maxBytes)
      const decoders = contentDecoders(answer.headers['content-encoding'])
      const packed = byteMeter(maxBytes)
      const plain = byteMeter(maxBytes, true)
      const stages = [notifyOnData(heard), packed.stage, ...decoders, plain.stage]
      await pipeline([answer.body, ...stages, createWriteStream(path)], { signal })
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
      return copyNow(url, name, signal)
    },
  }
}

interface TimeLimits {
  signal: AbortSignal
  heard(): void
  end(): void
}

function limitTime(silenceMs: number, totalMs: number): TimeLimits {
  const over = new AbortController()
  const giveUp = (why: string) => over.abort(new OutboundUnavailable(why))
  const silence = setTimeout(
    () => giveUp(`leads to a server that sent nothing for ${silenceMs / 1000} seconds`),
    silenceMs,
  )
  const whole = setTimeout(() => giveUp(`took longer than ${totalMs / 1000} seconds to copy`), totalMs)
  return {
    signal: over.signal,
    heard: () => void silence.refresh(),
    end() {
      clearTimeout(silence)
      clearTimeout(whole)
    },
  }
}

/** Lets everything through and tells that something came. */
function notifyOnData(heard: () => void): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      heard()
      done(null, chunk)
    },
  })
}

/** What a server answers that is busy, overloaded or down for a while. */
const passingStatuses = [408, 425, 429]

function checkAnswer({ status, headers, finalUrl }: OutboundAnswer, maxBytes: number): void {
  if (status === 401 || status === 403) {
    throw new OutboundRefused(`must open without signing in; it answered ${status}`)
  }
  if (status > 499 || passingStatuses.includes(status)) {
    throw new OutboundUnavailable(`answered ${status} instead of the file`)
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
