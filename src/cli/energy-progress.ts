const width = 30
const everyMs = { terminal: 100, otherwise: 5_000 }

export interface Progress {
  /** `share` is from 0 to 1, or null where the end is not known. */
  show(share: number | null, text: string): void
  end(): void
}

/** How far a long command is: a bar on a terminal, a plain line now and then elsewhere. Nothing of it is output. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let shownAt = performance.now()
  let shown = false
  return {
    show(share, text) {
      const now = performance.now()
      if (now - shownAt < (stream.isTTY ? everyMs.terminal : everyMs.otherwise)) return
      shownAt = now
      shown = true
      const percent = share === null ? '' : `${Math.floor(share * 100)} % `
      if (!stream.isTTY) stream.write(`${percent}${text}\n`)
      else stream.write(`\r${bar(share)} ${percent}${text}\x1b[K`)
    },
    end() {
      if (shown && stream.isTTY) stream.write('\r\x1b[K')
    },
  }
}

function bar(share: number | null): string {
  if (share === null) return ''
  const full = Math.round(Math.min(share, 1) * width)
  return `[${'='.repeat(full)}${' '.repeat(width - full)}]`
}
