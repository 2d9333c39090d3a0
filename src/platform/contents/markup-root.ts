const pageElements = ['html', 'head', 'body', 'script', 'iframe', 'frameset', 'noscript']
/** These begin a page too, but are also what an XML file of another kind may call its root. */
const partElements = (
  'title meta base link style table div span p a b br hr h1 h2 h3 form input img center font ul ol nav main ' +
  'header section article template'
).split(' ')

/**
 * The first element (without prefix, in lower case) of a text that begins with markup; `html` also by its
 * doctype; empty when comments and declarations fill all of it. Null: it does not begin with markup.
 */
export function markupRoot(text: string): string | null {
  let rest = text.replace(/^[\ufeff\s]+/, '')
  if (!/^<[!?/a-z]/i.test(rest)) return null
  for (;;) {
    const element = /^<(?:[\w.-]+:)?([a-z][\w.-]*)/i.exec(rest)
    if (element) return element[1]!.toLowerCase()
    const skipped = declaration(rest)
    // A comment before plain text, as in many a Markdown file, makes no markup of it.
    if (!skipped) return rest && !rest.startsWith('<') ? null : ''
    if (/^<!doctype\s+html\b/i.test(skipped)) return 'html'
    rest = rest.slice(skipped.length).trimStart()
  }
}

/** A comment, processing instruction, stray end tag or doctype (with its internal subset) at the start. */
function declaration(text: string): string | null {
  // Browsers also end a comment at "--!>", and take "<!-->" as a whole one.
  if (text.startsWith('<!--')) return /^<!--(?:-?>|[\s\S]*?--!?>)/.exec(text)?.[0] ?? null
  if (text.startsWith('<?xml')) return /^<\?[\s\S]*?\?>/.exec(text)?.[0] ?? null
  return /^<[!?/](?:[^[\]>"']|"[^"]*"|'[^']*'|\[(?:[^\]"']|"[^"]*"|'[^']*')*\])*>/.exec(text)?.[0] ?? null
}

export function isWebPage(text: string): boolean {
  const root = markupRoot(text)
  if (!root) return false
  return pageElements.includes(root) || (partElements.includes(root) && !/^[\ufeff\s]*<\?xml/.test(text))
}
