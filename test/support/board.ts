import type { Locator, Page } from 'playwright-core'

/** The column of a stage; with a total, only once it has that many. */
export const column = (page: Page, stage: string, total?: number): Locator =>
  page.getByRole('region', { name: new RegExp(`^${stage}, ${total ?? '\\d+'} `) })

export const card = (page: Page, stage: string, customer: string): Locator =>
  column(page, stage).getByRole('link', { name: customer, exact: true })

export async function dragTo(page: Page, customer: string, from: string, to: string): Promise<void> {
  const taken = card(page, from, customer)
  // An earlier drag may have scrolled the board so that the card is partly beneath what stands beside it.
  await taken.scrollIntoViewIfNeeded()
  const start = (await taken.boundingBox())!
  await page.mouse.move(start.x + 10, start.y + 8)
  await page.mouse.down()
  await page.mouse.move(start.x + 30, start.y + 20, { steps: 3 })
  // The board may scroll under the card, and says later where it is.
  const over = page.getByText(`${customer} is over ${to}.`, { exact: true })
  while ((await over.count()) === 0) {
    const end = (await column(page, to).boundingBox())!
    await page.mouse.move(end.x + 100, end.y + 120, { steps: 6 })
  }
  await page.mouse.up()
}

/** Takes up a card without a mouse and puts it down in another stage; each column on the way is said. */
export async function carryTo(page: Page, customer: string, from: string, stages: string[]): Promise<void> {
  const over = (stage: string) =>
    page.getByText(`${customer} is over ${stage}.`, { exact: true }).waitFor({ state: 'attached' })
  await column(page, from)
    .getByRole('button', { name: `Drag ${customer}` })
    .focus()
  await page.keyboard.press('Space')
  await over(from)
  // It hears keys a turn after it was taken up.
  await page.evaluate('new Promise((done) => setTimeout(done))')
  for (const stage of stages) {
    await page.keyboard.press('ArrowRight')
    await over(stage)
  }
  await page.keyboard.press('Space')
}
