const perKwh = 1_000_000

/** Millionths of a kWh, rounded; exact for what has at most six decimals. */
export function microkwhOf(kwh: number): number {
  return Math.round(kwh * perKwh)
}

/** Millionths, as whole digits, in kWh: a decimal without a needless zero. */
export function kwhText(microkwh: string | number | bigint): string {
  const digits = String(microkwh).padStart(7, '0')
  const decimals = digits.slice(-6)
  const whole = digits.slice(0, -6)
  if (decimals === '000000') return whole
  return `${whole}.${decimals.replace(/0+$/, '')}`
}
