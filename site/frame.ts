import { escapeHtml } from '../src/api/http/page.ts'
import { textOf } from './html.ts'
import type { Group, Page } from './page.ts'

export interface Assets {
  script: string
  style: string
}

const mark = `<svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true"><path d="M3 15.5a9 9 0 0 1 18 0z" fill="var(--sun)"/><path d="M3 19h18" stroke="currentColor" stroke-width="2" stroke-linecap="round"/><path d="M12 2v2.5M4.500 5.500l1.700 1.700M19.500 5.500l-1.700 1.700" stroke="var(--sun)" stroke-width="2" stroke-linecap="round"/></svg>`

const linkOf = (page: Page, at: string) =>
  `<li><a href="${page.path}"${page.path === at ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a></li>`

function navigation(groups: Group[], at: string): string {
  return groups
    .map(({ title, pages, folded }) => {
      const isHere = pages.some(({ path }) => path === at)
      const [first, ...rest] = pages
      if (!folded)
        return `<h2>${escapeHtml(title)}</h2><ul>${pages.map((page) => linkOf(page, at)).join('')}</ul>`
      const below = isHere ? `<ul class="below">${rest.map((page) => linkOf(page, at)).join('')}</ul>` : ''
      return `<ul>${linkOf(first!, at).replace('</li>', `${below}</li>`)}</ul>`
    })
    .join('')
}

/** The headings of a page, beside it. */
function contents(html: string): string {
  const found = [...html.matchAll(/<h2 id="([^"]+)">(.*?) <a class="anchor"/g)]
  if (found.length < 2) return ''
  const items = found.map(([, id, text]) => `<li><a href="#${id}">${escapeHtml(textOf(text!))}</a></li>`)
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}

/** To the page before and the page after, in the order of reading. */
function neighbours(groups: Group[], at: string): string {
  const all = groups.filter(({ folded }) => !folded).flatMap(({ pages }) => pages)
  const index = all.findIndex(({ path }) => path === at)
  if (index === -1) return ''
  const link = (page: Page | undefined, rel: string, word: string) =>
    page
      ? `<a rel="${rel}" href="${page.path}"><span>${word}</span>${escapeHtml(page.title)}</a>`
      : '<span></span>'
  return `<nav class="neighbours" aria-label="Next and previous page">${link(all[index - 1], 'prev', 'Before')}${link(all[index + 1], 'next', 'Next')}</nav>`
}

/** A whole page. */
export function framed(page: Page, groups: Group[], { script, style }: Assets): string {
  const { path, title, description, html } = page
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.over ? `${title} · ${page.over}` : title)} · Sunstead docs</title><meta name="description" content="${escapeHtml(description)}">
<link rel="icon" type="image/svg+xml" href="/favicon.ico"><link rel="stylesheet" href="${style}"><script src="${script}"></script>${page.markdown ? `<link rel="alternate" type="text/markdown" href="${path}.md">` : ''}</head>
<body><a class="skip" href="#content">Skip to the content</a>
<header class="bar"><a class="brand" href="/docs">${mark}<span>Sunstead</span> <small>Docs</small></a><button type="button" popovertarget="places">Menu</button></header>
<div class="frame"><nav class="places" id="places" popover aria-label="Documentation"><a class="brand" href="/docs">${mark}<span>Sunstead</span> <small>Docs</small></a>
<form class="search" action="/docs/search" role="search"><input type="search" name="q" placeholder="Search" aria-label="Search the documentation" maxlength="100" autocomplete="off" required></form>
${navigation(groups, path)}<div class="foot"><button type="button" data-theme-button hidden>Theme</button><a href="/">Console</a></div></nav>
<main id="content" tabindex="-1"><article>${html}</article>${neighbours(groups, path)}</main>${contents(html)}</div></body></html>
`
}
