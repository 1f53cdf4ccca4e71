import { readFile, writeFile } from 'node:fs/promises'
import { createMessage, decryptKey, type PrivateKey, readPrivateKey, sign } from 'openpgp'

/**
 * The key that signs a release: armored in `DEPLOYMGMT_RELEASE_KEY`, with `DEPLOYMGMT_RELEASE_KEY_PASSPHRASE` if it
 * has one. Never written to disk.
 */
export const releaseKey = async (env: NodeJS.ProcessEnv): Promise<PrivateKey> => {
  const armoredKey = env['DEPLOYMGMT_RELEASE_KEY']
  if (armoredKey === undefined || armoredKey === '')
    throw new Error(
      'A release is signed: set DEPLOYMGMT_RELEASE_KEY to a private OpenPGP key in armor, or try without one by --unsigned.',
    )
  const key = await readPrivateKey({ armoredKey }).catch(() => {
    throw new Error('DEPLOYMGMT_RELEASE_KEY is no private OpenPGP key in armor.')
  })
  if (key.isDecrypted()) return key
  const passphrase = env['DEPLOYMGMT_RELEASE_KEY_PASSPHRASE'] ?? ''
  return decryptKey({ privateKey: key, passphrase }).catch(() => {
    throw new Error('DEPLOYMGMT_RELEASE_KEY_PASSPHRASE does not open DEPLOYMGMT_RELEASE_KEY.')
  })
}

/** Writes `FILE.sig`, a detached signature as Terraform's registries require, and returns its path. */
export const signFile = async (key: PrivateKey, path: string): Promise<string> => {
  const message = await createMessage({ binary: await readFile(path) })
  const signature = await sign({ message, signingKeys: key, detached: true, format: 'binary' })
  await writeFile(`${path}.sig`, signature)
  return `${path}.sig`
}
