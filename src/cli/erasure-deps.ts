import { addressesOf, type Config, erasedListOf } from '../config.ts'
import type { ErasureDeps } from '../domain/operations/privacy/finish-erasure.ts'
import { createFileStore } from '../platform/file-store.ts'
import { appendLines } from '../platform/line-file.ts'

export function erasureDeps(config: Config): ErasureDeps {
  return {
    store: createFileStore(config.storageUrl),
    baseUrl: addressesOf(config, config.port).baseUrl,
    note: (lines) => appendLines(erasedListOf(config), lines),
  }
}
