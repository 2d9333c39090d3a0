import { textOf } from './html.ts'
import type { Page } from './page.ts'

/** A part of a page that can be found by itself. */
interface Section {
  url: string
  page: string
  title: string
  text: string
}

/** A page's sections: what stands before its first heading, and each heading with what follows. */
export function searchIndex(pages: Page[]): Section[] {
  return pages.flatMap(({ path, title, over, html, description }) => {
    const page = over ? `${over} · ${title}` : title
    const [head = '', ...parts] = html.split(/(?=<h[23] id=")/)
    const own = {
      url: path,
      page,
      title,
      text: `${description} ${textOf(head.replace(/<h1>.*?<\/h1>/, ''))}`,
    }
    const sections = parts.map((part) => {
      const [, id, name] = /^<h[23] id="([^"]+)">(.*?) <a class="anchor"/.exec(part)!
      const text = textOf(part.slice(part.indexOf('</a></h') + '</a></h2>'.length))
      return { url: `${path}#${id}`, page, title: textOf(name!), text }
    })
    return [own, ...sections]
  })
}
