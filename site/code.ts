import { escapeHtml } from '../src/api/http/page.ts'

// By a name that the check of types does not follow: with its types come those of a browser, for the server too.
const library: string = 'highlight.js/lib'
const { default: hljs } = await import(`${library}/core`)
const languages = { sh: 'bash', ts: 'typescript', python: 'python', go: 'go', json: 'json' }
for (const [name, file] of Object.entries(languages))
  hljs.registerLanguage(name, (await import(`${library}/languages/${file}`)).default)

const names: Record<string, string> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  json: 'JSON',
  http: 'HTTP',
}

/** A block of code, which the page's script gives a button to copy it. `label` says what it is, such as a file's name. */
export function codeBlock(text: string, language: string, label = names[language] ?? ''): string {
  const html = hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : escapeHtml(text)
  const title = label ? `<figcaption>${escapeHtml(label)}</figcaption>` : ''
  return `<figure class="code">${title}<pre tabindex="0" role="region" aria-label="${escapeHtml(label || 'Code')}"><code>${html}</code></pre></figure>\n`
}
