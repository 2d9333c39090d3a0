import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { noBrowser, openPage } from '../support/browser.ts'

test('what a page still asks for when its file ends fails nothing', { skip: noBrowser }, async () => {
  const server = createServer((request, answer) => {
    // Never answered.
    if (request.url === '/later') return
    answer.setHeader('content-type', 'text/html')
    answer.end('<h1>Here</h1><script>fetch("/later")</script>')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => server.close())
  const page = await openPage({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  await page.route('**/later', async (route) => route.fulfill({ response: await route.fetch() }))
  const asked = page.waitForRequest('**/later')
  await page.goto('/')
  await asked
})
