import { readAtMost, standsOut } from '@deploymgmt/provider/api'
import { formatPosition, type Entry, type SecretUse } from '@deploymgmt/provider/engine'
import { SecretError } from '../errors/index.ts'

type SecretReader = (reference: unknown, path: string) => Promise<string>

/** A secret is one line; a larger file cannot be meant. */
const MAX_SECRET_BYTES = 64 * 1024

/** Where secrets are read from, and which secrets this run knows. */
interface SecretSource {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly secrets: Set<string>
  /** What the command itself logs in with. */
  readonly credentials: readonly string[]
}

/**
 * Refuses a known secret that is declared as a plain value, because that would be shown and recorded. A short secret
 * is refused only as a whole value, as it is taken out of answers: one that is hidden there would differ from the
 * declared one.
 * @throws SecretError at the first such value, without repeating it
 */
export const refuseShownSecrets = (
  entries: readonly Pick<Entry, 'address' | 'values' | 'declaredAt'>[],
  known: ReadonlySet<string>,
): void => {
  const long = [...known].filter(standsOut)
  const pathTo = (value: unknown): string | undefined => {
    if (typeof value === 'string')
      return known.has(value) || long.some((each) => value.includes(each)) ? '' : undefined
    if (typeof value !== 'object' || value === null) return undefined
    for (const name in value) {
      const rest = pathTo(value[name as keyof typeof value])
      if (rest !== undefined) return `${Array.isArray(value) ? `[${name}]` : `.${name}`}${rest}`
    }
    return undefined
  }
  for (const { address, values, declaredAt } of entries) {
    const path = pathTo(values)
    if (path !== undefined)
      throw new SecretError(`${address}${path} is the value of a secret, or holds one`, {
        where: formatPosition(declaredAt),
        hint: 'Secrets are never shown or recorded, so use another value there. Nothing was sent.',
      })
  }
}

/**
 * Reads the value of `{ env }` or `{ file }`. Called just before it is sent; the value is kept only to redact it.
 * @throws SecretError that names the source and never the value
 */
export const secretReader =
  ({ env, secrets, credentials }: SecretSource): SecretReader =>
  async (reference, path) => {
    const refuse = (why: string) => new SecretError(`${path}: ${why}`)
    const { env: name, file = '' } = reference as { env?: string; file?: string }
    const isFile = name === undefined
    const source = isFile ? `its file ${file}` : `the environment variable ${name}`
    const value = isFile ? await contentOf(file, (why) => refuse(`${source} ${why}`)) : (env[name] ?? '')
    if (value === '') throw refuse(`${source} is ${isFile ? 'empty' : 'not set'}`)
    if (!isText(value)) throw refuse(`${source} is not UTF-8 text`)
    if (holds(value, credentials)) throw refuse(OWN)
    secrets.add(value)
    return value
  }

const contentOf = async (file: string, refuse: (why: string) => SecretError): Promise<string> => {
  const bytes = await readAtMost(file, MAX_SECRET_BYTES).catch(() => {
    throw refuse('cannot be read')
  })
  if (bytes === undefined) throw refuse('is too large for a secret')
  return bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n$/, '')
}

const OWN =
  'it is a credential of this command, or holds one, and these are never sent: give the user another password'

/** Whether a value is one of the credentials, or holds one. */
const holds = (value: string, credentials: readonly string[]): boolean =>
  credentials.some((each) => value.trim() === each.trim() || (standsOut(each) && value.includes(each)))

/**
 * For a rehearsal, whose service keeps in a file what it is sent: the secret has to be there, and another text is
 * sent, which any rule for passwords accepts.
 */
export const standInReader =
  (read: SecretReader): SecretReader =>
  async (reference, path) => {
    await read(reference, path)
    return 'Rehearsal-0'
  }

/** Bytes of another encoding have become U+FFFD: a secret that nobody knows would be sent. */
const isText = (value: string): boolean => !/[\0\uFFFD]/u.test(value)

interface Missing {
  readonly what: string
  readonly where: string
}

/** The secrets that could not be read now, each with its place. The values are dropped at once. */
export const missingSecrets = async (
  uses: readonly SecretUse[],
  read: SecretReader,
): Promise<readonly Missing[]> => {
  const missing: Missing[] = []
  for (const { reference, address, field, declaredAt } of uses)
    await read(reference, `${address}.${field}`).catch((error: unknown) => {
      if (!(error instanceof SecretError)) throw error
      missing.push({ what: error.message, where: declaredAt })
    })
  return missing
}

/**
 * Finds missing secrets before anything is sent, and not halfway through.
 * @throws SecretError that names all of them, each with its place
 */
export const requireSecrets = async (uses: readonly SecretUse[], read: SecretReader): Promise<void> => {
  const missing = await missingSecrets(uses, read)
  const [first, ...more] = missing
  if (first === undefined) return
  const hint = `${SecretError.remedy} Nothing was sent.`
  if (more.length === 0) throw new SecretError(first.what, { where: first.where, hint })
  const lines = missing.map(({ what, where }) => `\n  ${where}  ${what}`)
  throw new SecretError(`${missing.length} secrets cannot be read${lines.join('')}`, { hint })
}
