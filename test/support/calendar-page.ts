import type { Page } from 'playwright-core'

/** Waits until an entry of the calendar stands in the row and column of a day. */
export async function untilOnDay(page: Page, name: string, day: string): Promise<void> {
  await page.waitForFunction(
    ([name, day]) => {
      // biome-ignore lint/suspicious/noExplicitAny: it is a global of the page
      const { document } = globalThis as any
      const button = [...document.querySelectorAll('[role=button]')].find((one) =>
        one.textContent.includes(name),
      )
      const box = button?.getBoundingClientRect()
      const room = document.querySelector(`[data-date="${day}"]`)?.getBoundingClientRect()
      if (!box || !room) return false
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      return x > room.left && x < room.right && y > room.top && y < room.bottom
    },
    [name, day],
  )
}
