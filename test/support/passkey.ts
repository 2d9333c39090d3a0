import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

/** Somebody is there, and it is who they are said to be. */
const present = 0x05
const withKey = 0x40

/** A device that holds one passkey, as the standard has it (WebAuthn, ES256, no attestation). */
export function createPasskey(baseUrl: string) {
  const { hostname, origin } = new URL(baseUrl)
  const id = randomBytes(16)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string) => [Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')]
  // A map in CBOR: an EC2 key for ES256 on P-256, and the point.
  const key = Buffer.concat([
    Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]),
    ...coordinate(x!),
    Buffer.from([0x22]),
    ...coordinate(y!),
  ])

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }))
  const authData = (flags: number, ...rest: Buffer[]) =>
    Buffer.concat([sha256(hostname), Buffer.from([flags, 0, 0, 0, 0]), ...rest])
  const answer = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]),
    ),
  })

  return {
    register(challenge: string) {
      const data = authData(present | withKey, Buffer.alloc(16), Buffer.from([0, id.length]), id, key)
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3, 0x63]),
        Buffer.from('fmt'),
        Buffer.from([0x64]),
        Buffer.from('none'),
        Buffer.from([0x67]),
        Buffer.from('attStmt'),
        Buffer.from([0xa0, 0x68]),
        Buffer.from('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      return answer({ clientDataJSON: clientData('create', challenge), attestationObject })
    },
    authenticate(challenge: string) {
      const authenticatorData = authData(present)
      const clientDataJSON = clientData('get', challenge)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey)
      return answer({ clientDataJSON, authenticatorData, signature })
    },
  }
}
