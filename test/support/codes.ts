import assert from 'node:assert/strict'
import { base32 } from '@better-auth/utils/base32'
import { createOTP } from '@better-auth/utils/otp'
import type { App } from './app.ts'

/** Turns codes from an authenticator app on; answers what makes them, and the new session. */
export async function turnOnCodes(app: App, { password }: { password: string }, cookie: string) {
  const auth = (path: string, body: object) =>
    app.send('POST', `/console/auth/two-factor/${path}`, { body, headers: { origin: app.url, cookie } })
  const { body } = await auth('enable', { password })
  const seed = new URL(body.totpURI).searchParams.get('secret')!
  const otp = createOTP(new TextDecoder().decode(base32.decode(seed)))
  const turnOn = async (step: number) => ({
    step,
    answer: await auth('verify-totp', { code: await otp.hotp(step - 1) }),
  })
  const now = () => Math.floor(Date.now() / 30_000)
  let { step, answer } = await turnOn(now())
  // The next half minute may have begun on the way.
  if (answer.status !== 200 && now() > step) ({ step, answer } = await turnOn(now()))
  assert.equal(answer.status, 200, answer.text)
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map((one) => one.split(';')[0])
  return { cookie: cookies.join('; '), code: (ahead: number) => otp.hotp(step + ahead) }
}
