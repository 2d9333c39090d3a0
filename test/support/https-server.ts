import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** The names the certificate is good for. */
const names = ['localhost', 'files.example.com', '*.example.com', '*.example.org']

export type HttpsServer = {
  port: number
  /** `https://localhost:{port}` */
  url: string
  /** PEM of the certificate, to be trusted by the client under test. */
  ca: string
  /** TCP connections accepted so far, also those that never spoke. */
  connections(): number
  close(): Promise<void>
}

/** A real HTTPS server on loopback with a certificate of its own. */
export async function startHttpsServer(handler: RequestListener): Promise<HttpsServer> {
  const { key, cert } = selfSigned()
  let connections = 0
  const server = createServer({ key, cert }, handler)
  server.on('connection', () => connections++)
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `https://localhost:${port}`,
    ca: cert,
    connections: () => connections,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Node makes keys but no certificates, and the tests need no tool that a machine may lack: plain DER. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const subject = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('Sunstead tests')))))
  const day = 24 * 60 * 60 * 1000
  const altNames = sequence(
    ...names.map((name) => der(0x82, Buffer.from(name))),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  )
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    subject,
    sequence(utcTime(Date.now() - day), utcTime(Date.now() + 30 * day)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, altNames)))),
  )
  const signature = createSign('sha256').update(toBeSigned).sign(privateKey)
  const cert = sequence(toBeSigned, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), content])
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

/** YYMMDDhhmmssZ */
function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${digits}Z`))
}
