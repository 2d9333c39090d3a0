/** A page of text as a PDF, with the offsets that its table of objects needs. */
export function pdf(title: string, lines: readonly string[]): Buffer {
  const text = [
    `BT /F1 18 Tf 72 720 Td (${escaped(title)}) Tj ET`,
    ...lines.map((line, i) => `BT /F1 11 Tf 72 ${684 - i * 18} Td (${escaped(line)}) Tj ET`),
  ].join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = body.length
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  return Buffer.from(
    `${body}xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\n` +
      `startxref\n${body.length}\n%%EOF\n`,
    'latin1',
  )
}

function escaped(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').replace(/[\\()]/g, '\\$&')
}

export function csv(rows: readonly (readonly (string | number)[])[]): Buffer {
  const cell = (value: string | number) =>
    /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)
  return Buffer.from(rows.map((row) => `${row.map(cell).join(',')}\r\n`).join(''))
}

export function plainText(lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join('\n')}\n`)
}
