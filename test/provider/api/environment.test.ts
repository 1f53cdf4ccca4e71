import { describe, expect, it } from 'vitest'
import { accessFrom, privateKeyWarning } from '../../../provider/api/index.ts'
import { CredentialsError } from '../../../provider/errors/index.ts'

const BASE = { DEPLOYMGMT_BASE_URL: 'https://a.example/api/public/v1.0' }
const PUBLIC = { DEPLOYMGMT_PUBLIC_KEY: 'pub' }
const PRIVATE = { DEPLOYMGMT_PRIVATE_KEY: 'canary' }
const FILE = { DEPLOYMGMT_PRIVATE_KEY_FILE: '/run/secrets/deploymgmt' }

describe('the settings that a service is reached by', () => {
  it.each([
    [
      {},
      'DM-SETTING-MISSING',
      'DEPLOYMGMT_BASE_URL, DEPLOYMGMT_PUBLIC_KEY and DEPLOYMGMT_PRIVATE_KEY (or DEPLOYMGMT_PRIVATE_KEY_FILE) are not set',
    ],
    [PRIVATE, 'DM-SETTING-MISSING', 'DEPLOYMGMT_BASE_URL and DEPLOYMGMT_PUBLIC_KEY are not set'],
    [{ ...PUBLIC, ...FILE }, 'DM-SETTING-MISSING', 'DEPLOYMGMT_BASE_URL is not set'],
    [
      { ...BASE, DEPLOYMGMT_PUBLIC_KEY: '' },
      'DM-CREDENTIALS',
      'DEPLOYMGMT_PUBLIC_KEY and DEPLOYMGMT_PRIVATE_KEY (or DEPLOYMGMT_PRIVATE_KEY_FILE) are not set',
    ],
    [{ ...BASE, ...PRIVATE }, 'DM-CREDENTIALS', 'DEPLOYMGMT_PUBLIC_KEY is not set'],
  ])('are all named where they are missing: %o', async (env, code, message) => {
    await expect(accessFrom(env)).rejects.toMatchObject({ code, message })
  })

  it('are not called missing where they are given', async () => {
    const given = { baseUrl: 'https://b.example/api/public/v1.0', privateKey: 'canary' }
    await expect(accessFrom(PUBLIC, given)).resolves.toEqual({
      ...given,
      publicKey: 'pub',
      caFile: undefined,
    })
  })

  it('have one private key: of two, the variable counts, and a warning says so', async () => {
    const env = { ...BASE, ...PUBLIC, ...PRIVATE, ...FILE }
    expect(await accessFrom(env)).toMatchObject({ privateKey: 'canary' })
    expect(privateKeyWarning(env)).toBe(
      'DEPLOYMGMT_PRIVATE_KEY and DEPLOYMGMT_PRIVATE_KEY_FILE are both set: DEPLOYMGMT_PRIVATE_KEY counts, and the file is not read',
    )
    for (const one of [PRIVATE, FILE, { ...FILE, DEPLOYMGMT_PRIVATE_KEY: '' }])
      expect(privateKeyWarning(one)).toBeUndefined()
  })
})

describe('a private key in place of its file', () => {
  it('is quoted by no error', async () => {
    const env = { ...BASE, ...PUBLIC, DEPLOYMGMT_PRIVATE_KEY_FILE: '1f2e3d4c-canary-0001' }
    const error = await accessFrom(env).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CredentialsError)
    expect((error as CredentialsError).describe()).not.toContain('canary')
  })

  it.each(['/run/nowhere/key', './key', 'key.txt'])('is not what a path is taken for: %s', async (path) => {
    const env = { ...BASE, ...PUBLIC, DEPLOYMGMT_PRIVATE_KEY_FILE: path }
    const error = await accessFrom(env).catch((thrown: unknown) => thrown)
    expect((error as CredentialsError).describe()).toContain(path)
  })
  it('is not what a file is taken for that is far longer than any key, or has no end', async () => {
    const env = { ...BASE, ...PUBLIC, DEPLOYMGMT_PRIVATE_KEY_FILE: '/dev/zero' }
    const error = await accessFrom(env).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CredentialsError)
    expect((error as CredentialsError).message).toContain('is too large for a key')
  })
})
