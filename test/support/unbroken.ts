import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/**
 * Fails where an amount, a number or a word of the page is broken in the middle, or an email address elsewhere than at its
 * @ and dots. Only what is wider than its line alone may be.
 */
export async function assertUnbroken(page: Page, where: string): Promise<void> {
  const broken = await page.evaluate(`(${brokenOf})()`)
  assert.deepEqual(broken, [], where)
}

/** Runs in the page. */
const brokenOf = `async function () {
  // Drawn for this width, with its letters.
  await document.fonts.ready
  for (let i = 0; i < 2; i++) await new Promise((done) => requestAnimationFrame(done))
  const faults = []
  const email = /[^\\s<>@]+@[^\\s<>@]+\\.[^\\s<>@,;)]+/g
  const money = /-?[A-Z]{0,3}[$€£]-?\\d[\\d,]*(?:\\.\\d+)?/g
  const numbered = /[^\\s,;@]*\\d[-–/]\\d[^\\s,;@]*/g
  const word = /[^\\s-–—/·@.]+/g
  const blocks = [...document.querySelectorAll('main *, [role=dialog] *')].filter(
    (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()),
  )
  const roots = new Set(blocks.map((one) => {
    let root = one
    while (root.parentElement && ['inline', 'inline-block'].includes(getComputedStyle(root).display)) root = root.parentElement
    return root
  }))
  for (const root of roots) {
    if (root.closest('code, pre, svg, script, style, option, [data-code], .sr-only')) continue
    const style = getComputedStyle(root)
    if (style.visibility === 'hidden' || style.clipPath !== 'none') continue
    // All of its text, and where each letter of it stands.
    const nodes = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    let text = ''
    let before = null
    const blockOf = (one) => {
      while (getComputedStyle(one).display === 'inline' || getComputedStyle(one).display === 'inline-block') one = one.parentElement
      return one
    }
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest('.sr-only, code, pre, option, svg')) continue
      // What stands in blocks of their own is not one word.
      const block = blockOf(node.parentElement)
      if (before && block !== before) text += ' '
      before = block
      nodes.push([text.length, node])
      text += node.data
    }
    const placeOf = (at) => {
      let i = nodes.length - 1
      while (nodes[i][0] > at) i--
      return [nodes[i][1], at - nodes[i][0]]
    }
    const topOf = (at) => {
      const [node, offset] = placeOf(at)
      const range = document.createRange()
      range.setStart(node, offset)
      range.setEnd(node, offset + 1)
      const box = range.getClientRects()[0]
      return box && box.height > 0 ? Math.round(box.bottom) : null
    }
    const widthOf = (from, to) => {
      const range = document.createRange()
      range.setStart(...placeOf(from))
      const [node, offset] = placeOf(to - 1)
      range.setEnd(node, offset + 1)
      return [...range.getClientRects()].reduce((sum, { width }) => sum + width, 0)
    }
    const room = root.getBoundingClientRect().width
    const look = (kind, from, part) => {
      const tops = [...new Set([...part].map((_, i) => topOf(from + i)).filter((top) => top !== null))]
      const apart = Math.max(...tops) - Math.min(...tops) > 6
      if (apart && widthOf(from, from + part.length) < room) faults.push(kind + ': "' + part + '" in "' + text.slice(0, 60) + '"')
    }
    for (const match of text.matchAll(money)) look('amount', match.index, match[0])
    for (const match of text.matchAll(numbered)) look('number', match.index, match[0])
    for (const match of text.matchAll(email)) {
      let at = match.index
      for (const part of match[0].split(/(?=[@.])/)) {
        look('email', at, part)
        at += part.length
      }
    }
    // Addresses of pages break where they can.
    const plain = text.replaceAll(/https?:\\S+/g, (address) => ' '.repeat(address.length))
    if (text.length < 2_000) for (const match of plain.matchAll(word)) if (match[0].length < 40) look('word', match.index, match[0])
  }
  return faults.slice(0, 8)
}`
