import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { CaFileError } from '../errors/ca-file-error.ts'
import { isObject } from './printable.ts'

const certificate = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/gv

/**
 * Trusts the authorities of a PEM file in addition to those that Node trusts anyway. Made once, since
 * parsing some 150 certificates for each connection would be felt.
 *
 * @throws CaFileError when the file cannot be read, or a certificate in it cannot be
 */
export const trustOf = (caFile: string): SecureContext => {
  const certificates = read(caFile).match(certificate) ?? []
  if (certificates.length === 0) {
    throw new CaFileError('the CA file holds no certificate in PEM form', { where: caFile })
  }
  for (const [index, pem] of certificates.entries()) {
    try {
      void new X509Certificate(pem)
    } catch {
      throw new CaFileError(`certificate ${index + 1} of the CA file cannot be read`, { where: caFile })
    }
  }
  return createSecureContext({ ca: [...getCACertificates('default'), ...certificates] })
}

const read = (caFile: string): string => {
  try {
    return readFileSync(caFile, 'utf8')
  } catch (error) {
    const code = isObject(error) ? String(error['code']) : 'unreadable'
    throw new CaFileError(`the CA file cannot be read (${code})`, { where: caFile })
  }
}
