/** Whether what was typed is a decimal that the catalogue can hold. */
export const isAmount = (text: string, decimals: number) =>
  new RegExp(`^\\d{1,9}(\\.\\d{1,${decimals}})?$`).test(plainAmount(text))

/** As the server takes it: people type $1,250.00. */
export const plainAmount = (text: string) =>
  text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/,(?=\d{3}(\D|$))/g, '')

export const isYears = (text: string) => /^\d{0,3}$/.test(text.trim())

/** The fields whose value is another than it was. */
export function differences<T extends object>(before: T, after: T): Partial<T> {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T]),
  )
  return Object.fromEntries(changed) as Partial<T>
}
