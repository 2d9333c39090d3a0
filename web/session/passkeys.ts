import { auth } from '../api/client.ts'

/** Whether passkeys of this host can be used in this browser. */
export function passkeysWork(host: string | null | undefined): boolean {
  const { hostname } = location
  return (
    Boolean(host) &&
    (hostname === host || hostname.endsWith(`.${host}`)) &&
    isSecureContext &&
    'PublicKeyCredential' in window &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  )
}

export async function signInWithPasskey(): Promise<void> {
  const options = await auth<PublicKeyCredentialRequestOptionsJSON>('/passkey/generate-authenticate-options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  await auth('/passkey/verify-authentication', { response: credential.toJSON() })
}

export async function addPasskey(name: string): Promise<void> {
  const options = await auth<PublicKeyCredentialCreationOptionsJSON>('/passkey/generate-register-options')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  await auth('/passkey/verify-registration', { response: credential.toJSON(), name })
}
