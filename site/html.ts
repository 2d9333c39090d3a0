const named: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** HTML as the text that a reader sees: for the search and for titles. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<\/?(?:a|code|em|small|span|strong|wbr)\b[^>]*>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(lt|gt|quot|apos|amp));/gi, (_, decimal, hexadecimal, name) =>
      name
        ? named[name.toLowerCase()]!
        : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)),
    )
    .replaceAll(/\s+/g, ' ')
    .trim()
}
