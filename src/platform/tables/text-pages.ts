import type { FileHandle } from 'node:fs/promises'
import { readAt } from '../contents/read-at.ts'

export interface TextPages {
  /** Texts are numbered from 0 in the order in which they are added. */
  add(text: string): Promise<void>
  /** All of them are there: from now on they can be asked for. */
  end(): Promise<void>
  /** Empty where there is no text of this number. */
  text(number: number): Promise<string>
}

const pageTexts = 64
const cachedChars = 4 * 1024 * 1024
/** What a text takes in memory beyond its letters. */
const textOverhead = 32

/** Any number of texts by their numbers, in an empty file; in memory are the pages that were read last. */
export function createTextPages(file: FileHandle): TextPages {
  /** Where each page begins, and where the last one ends. */
  const places = [0]
  let unwritten: string[] = []
  const cache = new Map<number, string[]>()
  let chars = 0

  const write = async () => {
    const bytes = Buffer.from(JSON.stringify(unwritten))
    unwritten = []
    await file.writeFile(bytes)
    places.push(places.at(-1)! + bytes.length)
  }
  const read = async (page: number): Promise<string[]> => {
    const from = places[page]
    const to = places[page + 1]
    if (from === undefined || to === undefined) return []
    const texts: string[] = JSON.parse((await readAt(file, from, to - from)).toString())
    chars += charsOf(texts)
    for (const [oldest, forgotten] of cache) {
      if (chars <= cachedChars) break
      cache.delete(oldest)
      chars -= charsOf(forgotten)
    }
    cache.set(page, texts)
    return texts
  }

  return {
    async add(text) {
      unwritten.push(text)
      if (unwritten.length === pageTexts) await write()
    },
    end: write,
    async text(number) {
      const page = Math.floor(number / pageTexts)
      const texts = cache.get(page) ?? (await read(page))
      return texts[number % pageTexts] ?? ''
    },
  }
}

function charsOf(texts: readonly string[]): number {
  let chars = 0
  for (const text of texts) chars += text.length + textOverhead
  return chars
}
