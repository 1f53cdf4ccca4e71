import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What of a package's description its licence is told with. */
interface Described {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** The licences of all packages that files come from, in full; `inputs` are paths from the root. */
export const noticesOf = async (root: string, inputs: readonly string[]): Promise<string> => {
  const folders = new Set(inputs.flatMap((input) => PACKAGE.exec(input)?.[0] ?? []))
  const parts = await Promise.all([...folders].toSorted().map((folder) => noticeOf(join(root, folder))))
  return [HEAD, ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}

const HEAD = 'The command deploymgmt contains parts of these packages, under the licences that follow.\n'

/** The innermost package that a file lies in. */
const PACKAGE = /^.*node_modules\/(?:@[^\/]+\/)?[^\/]+/v

const noticeOf = async (folder: string): Promise<string> => {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Described
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice|copying)\b/iv.test(file))
  const texts = await Promise.all(files.toSorted().map((file) => readFile(join(folder, file), 'utf8')))
  if (license === undefined && texts.length === 0) throw new Error(`${name} does not say its licence`)
  return [`${name} ${version} (${license ?? 'as follows'})`, ...texts.map((text) => text.trim()), ''].join(
    '\n\n',
  )
}
