import assert from 'node:assert/strict'
import type { Answer, App } from './app.ts'
import type { Actors } from './factories.ts'

export const installationBody = {
  name: 'Moreno residence',
  address: '1 Market St, San Diego, CA 92101',
  region: 'US-CA',
}

export const panelBody = (installationId: string, more: object = {}) => ({
  name: 'Roof south 1',
  capacity_kw: 0.42,
  installation_id: installationId,
  ...more,
})

/** An installation of this company; answers its id. */
export async function installation(app: App, { key }: Pick<Actors, 'key'>, more: object = {}) {
  const body = { ...installationBody, ...more }
  return made(await app.call('POST', '/catalog/v1/installations', { key, body }))
}

/** A panel in this installation; answers its id. */
export async function panel(
  app: App,
  { key }: Pick<Actors, 'key'>,
  installationId: string,
  more: object = {},
) {
  return made(await app.call('POST', '/catalog/v1/panels', { key, body: panelBody(installationId, more) }))
}

function made(answer: Answer): string {
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

/** Every record of a list, page by page, which must all say the same total. */
export async function wholeList(app: App, key: string, path: string, perPage = 100) {
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
  const found: Record<string, any>[] = []
  for (let page = 1; ; page++) {
    const separator = path.includes('?') ? '&' : '?'
    const answer = await app.get(`${path}${separator}page=${page}&per_page=${perPage}`, key)
    assert.equal(answer.status, 200, answer.text)
    const { data, meta } = answer.body
    found.push(...data)
    assert.deepEqual([meta.page, meta.per_page], [page, perPage])
    if (data.length < perPage) {
      assert.equal(meta.total, found.length)
      return found
    }
  }
}
