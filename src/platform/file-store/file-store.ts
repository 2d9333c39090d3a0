import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { LineList } from '../line-file.ts'

export type StoredFile = { size: number; stream: Readable }

/** A private file of this host. `discard` removes it and is harmless after `put`. */
export type TempFile = { path: string; discard(): Promise<void> }

/** As what a browser is to take contents that it fetches from the store itself. */
export type DeliveredAs = { type: string; disposition: string }

/** Where copies of files are kept. A key is written once and never changes its contents. */
export type FileStore = {
  /** A private file to write to before `put`. */
  tempFile(): Promise<TempFile>
  /** Takes the temp file over; when it resolves, the file outlives a power cut. */
  put(key: string, tempPath: string): Promise<void>
  /** `end` is the last byte wanted. Null when there is no such file. What cannot be read to its end fails. */
  open(key: string, range?: { start: number; end: number }): Promise<StoredFile | null>
  size(key: string): Promise<number | null>
  remove(key: string): Promise<void>
  list(): AsyncIterable<{ key: string; modifiedMs: number }>
  /** Where whoever is sent there reads it from the store for a minute; null where we answer files ourselves. */
  deliveryAddress(key: string, as: DeliveredAs): Promise<string | null>
  /** Lines that every host adds to and reads; null where what this host keeps in DATA_DIR is all there is. */
  sharedLines: ((name: string) => LineList) | null
  /** The name by which a store is known again; null where it was not given one. */
  readId(): Promise<string | null>
  writeId(id: string): Promise<void>
  /** Removes what a killed process left behind; returns how many. */
  clearStaleTemps(olderThanMs: number): Promise<number>
  /** Writes, reads and removes a probe; rejects when the store does not work. */
  check(): Promise<void>
  /** Breaks off what is under way. */
  close(): Promise<void>
}

/** The store cannot be used just now. The message is for operators; callers are told to come again. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
  /** Whether it may pass by itself; otherwise somebody has to change a setting. */
  passing: boolean
  constructor(message: string, { passing = true, cause }: { passing?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.passing = passing
  }
}

/** 160 random bits: also fit to be the unguessable part of an address. */
export function newFileKey(): string {
  return randomBytes(20).toString('hex')
}

/** The file of a store that holds its name; no key is as short. */
export const idFile = 'store-id'

const keyForm = /^[a-z0-9]{16,64}$/

export function isFileKey(text: string): boolean {
  return keyForm.test(text)
}

/**
 * Two levels of 36² names at most keep every folder small with millions of files. The same in every store, so that files
 * can be moved from one to another by any program that copies names as they are.
 */
export function namesOf(key: string): [string, string, string] {
  if (!isFileKey(key)) throw new Error('a file key must be 16 to 64 lower-case letters and digits')
  return [key.slice(0, 2), key.slice(2, 4), key]
}

/** Puts a probe into a store and takes it out again. */
export async function probe(store: Pick<FileStore, 'tempFile' | 'put' | 'open' | 'remove'>): Promise<void> {
  const contents = randomBytes(64)
  const key = newFileKey()
  const temp = await store.tempFile()
  try {
    await writeFile(temp.path, contents)
    await store.put(key, temp.path)
    const stored = await store.open(key)
    if (!stored || !contents.equals(await buffer(stored.stream))) {
      throw new Error('the file store does not give back what was put into it')
    }
  } finally {
    await temp.discard()
    await store.remove(key)
  }
}
