import { X509Certificate } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { CaFileError } from '../errors/ca-file-error.ts'
import { isObject } from '../core/values.ts'

const certificate = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/gv

/**
 * Trusts the authorities of a PEM file in addition to those that Node trusts anyway. Called once, because parsing
 * some 150 certificates for each connection would be slow.
 * @throws CaFileError if the file, or a certificate in it, cannot be read
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

/** All authorities of an operating system take some hundred kilobytes. */
const MAX_BYTES = 4 * 1024 * 1024

/** Refuses pipes, which could block and can be read only once, and devices, which may have no end. */
const read = (caFile: string): string => {
  const refuse = (why: string) => new CaFileError(`the CA file ${why}`, { where: caFile })
  let file: number | undefined
  try {
    file = openSync(caFile, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const found = fstatSync(file)
    if (!found.isFile() && !found.isDirectory()) throw refuse('is not a file, but a pipe or a device')
    if (found.size > MAX_BYTES) throw refuse('is too large for a certificate file')
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof CaFileError) throw error
    const code = isObject(error) ? String(error['code']) : 'unreadable'
    throw refuse(`cannot be read (${code})`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
