/** What a company keeps, and how much it may. */
export interface StorageUsage {
  bytes: number
  /** Null where there is no limit. */
  limitBytes: number | null
  /** Whether the limit is the company's own, not the default. */
  own: boolean
}

/** As people's own computers say it: 1 GB is a thousand million bytes. */
export function sizeText(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1e3
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1e3
    unit++
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

const unitBytes: Record<string, number> = { kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 }

/** 250GB, 1.5 TB; null for what is no size. */
export function sizeOf(text: string): number | null {
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,3})?)\s*([kmgt]b)$/i.exec(text.trim()) ?? []
  return number && unit ? Math.round(Number(number) * unitBytes[unit.toLowerCase()]!) : null
}
