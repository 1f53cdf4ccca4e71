import { CredentialsError } from '../errors/credentials-error.ts'

/** Refuses what cannot be the public half of a key: it goes into a header. @throws CredentialsError */
export const checkPublicKey = (publicKey: string): void => {
  if (publicKey === '') throw new CredentialsError('the public key is empty')
  if (!/^[!-~]+$/v.test(publicKey))
    throw new CredentialsError('the public key holds blanks or other characters that no key has')
}

/** The private half goes into no header, but no key has white space at its ends. @throws CredentialsError */
export const checkPrivateKey = (privateKey: string): void => {
  if (privateKey === '') throw new CredentialsError('the private key is empty')
  if (privateKey.trim() !== privateKey)
    throw new CredentialsError('the private key begins or ends with white space, such as a line break', {
      hint: 'Take it out. A line break at the end of the file of DEPLOYMGMT_PRIVATE_KEY_FILE does no harm.',
    })
}
