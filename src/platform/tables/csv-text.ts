/** What a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/
const guarded = /^'(?=[=+\-@\t\r])/

/** A line of CSV. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** A line that a spreadsheet may open: what would be run as a formula begins with an apostrophe. */
export function csvLineForSpreadsheets(cells: readonly string[]): string {
  return csvLine(cells.map((text) => (formula.test(text) ? `'${text}` : text)))
}

/** The text that such an apostrophe was put before. */
export function withoutApostrophe(text: string): string {
  return text.replace(guarded, '')
}

function cell(text: string): string {
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
