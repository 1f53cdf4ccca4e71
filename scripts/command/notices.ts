import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The part of a package's description that is listed with its licence. */
interface Described {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** The folders of all packages that the files belong to; `inputs` are paths from the root. */
export const packagesOf = (inputs: readonly string[]): readonly string[] =>
  [...new Set(inputs.flatMap((input) => PACKAGE.exec(input)?.[0] ?? []))].toSorted()

/** The full licences of all packages that the files belong to; `inputs` are paths from the root. */
export const noticesOf = async (
  root: string,
  inputs: readonly string[],
  name = 'The command deploymgmt',
): Promise<string> => {
  const parts = await Promise.all(packagesOf(inputs).map((folder) => noticeOf(join(root, folder))))
  const head = `${name} contains parts of these packages, under the licences that follow.\n`
  return [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}

/** The innermost package that contains a file. */
const PACKAGE = /^.*node_modules\/(?:@[^\/]+\/)?[^\/]+/v

/** A package's own description. */
export const describedIn = async (folder: string): Promise<Described> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Described

const noticeOf = async (folder: string): Promise<string> => {
  const { name, version, license } = await describedIn(folder)
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice|copying)\b/iv.test(file))
  const texts = await Promise.all(files.toSorted().map((file) => readFile(join(folder, file), 'utf8')))
  if (license === undefined && texts.length === 0) throw new Error(`${name} does not say its licence`)
  return [`${name} ${version} (${license ?? 'as follows'})`, ...texts.map((text) => text.trim()), ''].join(
    '\n\n',
  )
}
