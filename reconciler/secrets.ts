import { readFile } from 'node:fs/promises'
import { SecretError } from './errors/index.ts'

/**
 * Reads what `{ env }` or `{ file }` refers to. Called when it is about to be sent, and kept nowhere.
 * @throws SecretError, which names the source and never the value.
 */
export const secretReader =
  (env: Readonly<Record<string, string | undefined>>) =>
  async (reference: unknown, path: string): Promise<string> => {
    const { env: name, file } = reference as { env?: string; file?: string }
    if (name !== undefined) {
      const value = env[name]
      if (value === undefined || value === '')
        throw new SecretError(`${path}: the environment variable ${name} is not set`, {
          hint: SecretError.remedy,
        })
      return value
    }
    const text = await readFile(file ?? '', 'utf8').catch(() => {
      throw new SecretError(`${path}: its file cannot be read`, {
        where: file ?? '',
        hint: SecretError.remedy,
      })
    })
    const value = text.replace(/\r?\n$/, '')
    if (value === '')
      throw new SecretError(`${path}: its file is empty`, { where: file ?? '', hint: SecretError.remedy })
    return value
  }
