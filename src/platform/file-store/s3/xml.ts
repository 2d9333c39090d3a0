import { SaxesParser } from 'saxes'

/** An element of an answer: what is in it by name. */
export interface Element {
  text: string
  children: Map<string, Element[]>
}

/** Reads an answer of the store; null where it is not well-formed. */
export function readXml(source: string): { name: string; root: Element } | null {
  const parser = new SaxesParser()
  const open: Element[] = []
  let found: { name: string; root: Element } | null = null
  parser.on('opentag', ({ name }) => {
    const element: Element = { text: '', children: new Map() }
    const parent = open.at(-1)
    if (parent) parent.children.getOrInsert(name, []).push(element)
    else found = { name, root: element }
    open.push(element)
  })
  const add = (text: string) => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => void open.pop())
  try {
    parser.write(source.trim()).close()
  } catch {
    return null
  }
  return found
}

export function textOf(element: Element | undefined, name: string): string {
  return element?.children.get(name)?.[0]?.text.trim() ?? ''
}

export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`)
}
