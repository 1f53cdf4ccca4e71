import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { NotSupportedError, OutputError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { tell } from '../output/tell.ts'
import { exists, inWords } from '../../disk/files.ts'
import { PACKAGE_FOLDER, VERSION } from '../../version.ts'

/** The folder of the TypeScript starter: among the examples in a checkout, and packed beside the command. */
const IN_CHECKOUT = '../examples/typescript/starter'
const PLACES = [IN_CHECKOUT, 'dist/templates/typescript']
/** The packages of the checkout, by folder. */
const FOLDERS = {
  dependencies: { '@deploymgmt/constructs': 'constructs' },
  devDependencies: { deploymgmt: 'reconciler' },
}
const NPMRC = '.npmrc'
/** A link would bring the checkout's own cdktf along, and classes of two copies of it are incompatible. */
const COPIED = 'install-links=true\n'

/** What npm is to install beside the rest: by name alone, it would get whatever somebody has published as that. */
const RELEASED = ` FOLDER/deploymgmt-${VERSION}.tgz FOLDER/deploymgmt-constructs-${VERSION}.tgz`

/** Packing drops a file of this name, so it is written, not copied. */
const GITIGNORE = '.gitignore'
const IGNORED = 'node_modules/\ncdktf.out/\n*.tfstate*\ndeploymgmt.rescue.*\n'

const isCopied = (path: string): boolean => !/(?:node_modules|cdktf\.out|\.gitignore)$/.test(path)

/** Copies the starter for a declaration in TypeScript into the folder. */
export const initTypescript = async (io: Io): Promise<number> => {
  const { from, checkout } = await starterFolder()
  const target = resolve(io.cwd)
  const written = [GITIGNORE, ...(checkout === undefined ? [] : [NPMRC])]
  for (const name of [...(await readdir(from)).filter(isCopied), ...written])
    if (await exists(join(target, name)))
      throw new OutputError(`${name} already exists; nothing was written`, {
        where: join(target, name),
        hint: 'Start in an empty folder.',
      })
  try {
    await cp(from, target, { recursive: true, filter: isCopied })
    await writeFile(join(target, GITIGNORE), IGNORED)
    if (checkout !== undefined) await dependOn(checkout, target)
  } catch (error) {
    const hint = OutputError.remedy
    throw new OutputError(`the starter cannot be written: ${inWords(error)}`, { where: target, hint })
  }
  await tell(
    io,
    [
      'A starter in TypeScript was written: declare what you have in declarations.ts.',
      checkout === undefined
        ? 'Two of its packages are not in a registry: install them from the folder of the release.'
        : `Its packages are those of ${checkout}, as package.json says.`,
      `Next, with Node.js 22.21, 24.11, 26 or later: npm install${checkout === undefined ? RELEASED : ''}, npm test, npm run synth, and what README.md says.`,
    ].join('\n'),
  )
  return 0
}

/** The packages are in no registry, so the starter of a checkout depends on the checkout's folders. */
const dependOn = async (checkout: string, target: string): Promise<void> => {
  const path = join(target, 'package.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<keyof typeof FOLDERS, object>
  for (const [section, folders] of Object.entries(FOLDERS) as [keyof typeof FOLDERS, object][])
    manifest[section] = {
      ...manifest[section],
      ...Object.fromEntries(
        Object.entries(folders).map(([name, folder]) => [
          name,
          fileOf(relative(target, join(checkout, folder))),
        ]),
      ),
    }
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`)
  await writeFile(join(target, NPMRC), COPIED)
}

const fileOf = (path: string): string => `file:${path.replaceAll('\\', '/')}`

interface Starter {
  readonly from: string
  readonly checkout: string | undefined
}

const starterFolder = async (): Promise<Starter> => {
  for (const place of PLACES) {
    const folder = join(PACKAGE_FOLDER, place)
    if (await exists(join(folder, 'main.ts')))
      return { from: folder, checkout: place === IN_CHECKOUT ? join(PACKAGE_FOLDER, '..') : undefined }
  }
  throw new NotSupportedError('the TypeScript starter is not among the installed files', {
    where: dirname(PACKAGE_FOLDER),
    hint: 'Copy examples/typescript/starter of a checkout.',
  })
}
