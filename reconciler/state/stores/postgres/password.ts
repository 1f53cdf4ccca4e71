import { homedir } from 'node:os'
import { join } from 'node:path'
import { systemCode } from '../../../disk/files.ts'
import { StateReadError } from '../../../errors/index.ts'
import { readFailure } from '../../machine/failures.ts'
import type { System } from '../../machine/system.ts'

/** The fields of a line of the password file that select it, as text. */
interface Account {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
}

/**
 * The password from where the Postgres tools look for it: `PGPASSWORD`, or the password file.
 *
 * @throws StateReadError if there is no password, or if others can read the file
 */
export const passwordFor = async (
  account: Account,
  { env, files }: Pick<System, 'env' | 'files'>,
): Promise<string> => {
  const path = fileIn(env)
  const found = env['PGPASSWORD'] || (await passwordIn(path, account, files))
  if (found !== undefined) return found
  const { user, host, port, database } = account
  throw new StateReadError('the server asks for a password', {
    where: `postgres://${user}@${host}:${port}/${database}`,
    hint: `Set PGPASSWORD, or add a line to ${path}: HOST:PORT:DATABASE:USER:PASSWORD`,
  })
}

const fileIn = (env: System['env']): string => {
  const own = env['APPDATA']
  return (
    env['PGPASSFILE'] ||
    (process.platform === 'win32' && own !== undefined
      ? join(own, 'postgresql', 'pgpass.conf')
      : join(env['HOME'] ?? homedir(), '.pgpass'))
  )
}

/** Fields end at a colon, and a backslash escapes the next character; the password is the rest of the line. */
const field = /(?:\\.|[^:\\])*/u.source
const lineOfFile = new RegExp(`^(${field}):(${field}):(${field}):(${field}):(.*)$`, 'u')

const passwordIn = async (
  path: string,
  { host, port, database, user }: Account,
  files: System['files'],
): Promise<string | undefined> => {
  const hosts = host.startsWith('/') ? [host, 'localhost'] : [host]
  const wanted = [hosts, [String(port)], [database], [user]]
  const text = (await readOwn(path, files)) ?? ''
  const lines = text.split(/\r?\n/u).filter((line) => !line.startsWith('#'))
  return lines
    .map((line) => lineOfFile.exec(line)?.slice(1).map(plain) ?? [])
    .find((parts) => wanted.every((each, index) => ['*', ...each].includes(parts[index] ?? '')))
    ?.at(-1)
}

const plain = (part: string): string => part.replaceAll(/\\(?<it>.)/gu, '$<it>')

const readOwn = async (path: string, files: System['files']): Promise<string | undefined> => {
  try {
    const { mode = 0 } = await files.stat(path)
    // On Windows, every file has the same mode.
    if (process.platform === 'win32' || (mode & 0o077) === 0) return (await files.read(path)).toString()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw readFailure('the password file', path, error)
  }
  throw new StateReadError('the password file can be read by others, so it is not used', {
    where: path,
    hint: `Run: chmod 600 ${path}`,
  })
}
