import { generateKeyPairSync, sign } from 'node:crypto'

/** A self-signed certificate for an address, made anew for each run, so that the repository contains no key. */
export const selfSigned = (address = '127.0.0.1'): { key: string; cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'))
  const name = sequence(
    tagged(0x31, sequence(Buffer.from('0603550403', 'hex'), tagged(0x0c, Buffer.from('test')))),
  )
  const alternative = sequence(
    Buffer.from('0603551d11', 'hex'),
    tagged(0x04, sequence(tagged(0x87, Buffer.from(address.split('.').map(Number))))),
  )
  const authority = sequence(
    Buffer.from('0603551d13', 'hex'),
    Buffer.from('0101ff', 'hex'),
    tagged(0x04, sequence(Buffer.from('0101ff', 'hex'))),
  )
  const body = sequence(
    tagged(0xa0, Buffer.from('020102', 'hex')),
    Buffer.from('020101', 'hex'),
    ecdsaSha256,
    name,
    sequence(tagged(0x17, Buffer.from('200101000000Z')), tagged(0x17, Buffer.from('491231235959Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(alternative, authority)),
  )
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const der = sequence(body, ecdsaSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.replaceAll(/.{64}/gu, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, ...parts)

/** DER: a tag, a length, and the content. */
const tagged = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
