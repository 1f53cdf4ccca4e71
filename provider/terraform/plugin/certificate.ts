/**
 * The certificate that the provider shows to Terraform: self-signed, for `localhost`, new in every process, and sent
 * to Terraform in the handshake. The DER is written by hand, because a process lives for seconds and the libraries
 * that could write it take a tenth of a second to load.
 */
import { X509Certificate, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface ServerCertificate {
  readonly der: Buffer
  /** The certificate and its key in PEM. */
  readonly certificate: string
  readonly key: string
}

const DAY_MS = 86_400_000
const LIFETIME_DAYS = 365

/** A P-256 certificate that is valid from a day before `now` to a year after it. */
export const createServerCertificate = (now: number): ServerCertificate => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(tagged(SET, sequence(COMMON_NAME, tagged(UTF8, Buffer.from('localhost')))))
  const body = sequence(
    tagged(EXPLICIT_0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(now - DAY_MS), time(now + LIFETIME_DAYS * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(EXPLICIT_3, extensions()),
  )
  const der = sequence(body, ECDSA_WITH_SHA256, bitString(sign('sha256', body, privateKey)))
  return {
    der,
    certificate: pem('CERTIFICATE', der),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Parses a certificate in PEM; undefined if the text has none. */
export const parseCertificate = (text: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(text)
  } catch {
    return undefined
  }
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts)

/** DER: a tag, a length, and the content. */
const tagged = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const UTF8 = 0x0c
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const SET = 0x31
const DNS_NAME = 0x82
const EXPLICIT_0 = 0xa0
const EXPLICIT_3 = 0xa3

// Object identifiers, including tag and length.
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const ECDSA_WITH_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'))
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex')
const KEY_USAGE = Buffer.from('0603551d0f', 'hex')
const EXTENDED_KEY_USAGE = Buffer.from('0603551d25', 'hex')
const ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex')
const SERVER_AUTH = Buffer.from('06082b06010505070301', 'hex')
const TRUE = Buffer.from('0101ff', 'hex')

/** The certificate is its own authority, because it is the only one that the other side trusts. */
const extensions = (): Buffer => {
  // Bits 0 (signatures) and 5 (certificates); the two last bits are unused.
  const usage = tagged(BIT_STRING, Buffer.from([2, 0x84]))
  return sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, tagged(OCTET_STRING, sequence(TRUE))),
    sequence(KEY_USAGE, TRUE, tagged(OCTET_STRING, usage)),
    sequence(EXTENDED_KEY_USAGE, tagged(OCTET_STRING, sequence(SERVER_AUTH))),
    sequence(ALTERNATIVE_NAME, tagged(OCTET_STRING, sequence(tagged(DNS_NAME, Buffer.from('localhost'))))),
  )
}

/** Positive, and never shorter than sixteen bytes, as DER requires. */
const serialNumber = (): Buffer => {
  const serial = randomBytes(16)
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0)
  return serial
}

/** X.509 writes years up to 2049 with two digits, and later ones with four. */
const time = (instant: number): Buffer => {
  const digits = `${new Date(instant).toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`
  return digits < '2050'
    ? tagged(UTC_TIME, Buffer.from(digits.slice(2)))
    : tagged(GENERALIZED_TIME, Buffer.from(digits))
}

const integer = (content: Buffer): Buffer => tagged(0x02, content)

const bitString = (content: Buffer): Buffer => tagged(BIT_STRING, Buffer.from([0]), content)

const pem = (label: string, der: Buffer): string => {
  const lines = der.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}
