import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileOf } from '../../site/markdown.ts'
import { root } from './process.ts'

export interface Snippet {
  language: string
  /** The file that the block says it is. */
  file: string | undefined
  text: string
  /** What the page says that it answers: a block of JSON right behind it. */
  answer: unknown
}

export interface SnippetPage {
  name: string
  snippets: Snippet[]
}

const fence = /^```(\w+)([^\n]*)\n([\s\S]*?)^```$(?:\n\n```json\n([\s\S]*?)^```$)?/gm

/** What the guides show, in their order, as it is written there. */
export function snippetPages(): SnippetPage[] {
  const folder = join(root, 'docs/guides')
  return readdirSync(folder).map((name) => {
    const source = readFileSync(join(folder, name), 'utf8')
    const snippets = [...source.matchAll(fence)].map(([, language, info, text, answer]) => ({
      language: language!,
      file: fileOf(info!),
      text: text!,
      answer: answer === undefined ? undefined : JSON.parse(answer),
    }))
    return { name, snippets }
  })
}
