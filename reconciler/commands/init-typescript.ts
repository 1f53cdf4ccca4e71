import { cp, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { NotSupportedError, OutputError } from '../errors/index.ts'
import { exists } from '../exists.ts'
import { print, type Io } from '../io.ts'
import { inWords } from '../state/failures.ts'

/** The one TypeScript starter: packed beside the compiled command, and in a checkout among the examples. */
const PLACES = ['templates/typescript', '../examples/typescript/starter']
/** Packing drops a file of this name, so that it is written and not copied. */
const IGNORED = 'node_modules/\ncdktf.out/\n*.tfstate*\n'

const isCopied = (path: string): boolean => !/(?:node_modules|cdktf\.out|\.gitignore)$/.test(path)

/** Copies the starter of a declaration in TypeScript into the folder. */
export const initTypescript = async (io: Io): Promise<number> => {
  const from = await starterFolder()
  const target = resolve(io.cwd)
  for (const name of (await readdir(from)).filter(isCopied))
    if (await exists(join(target, name)))
      throw new OutputError(`${name} exists already; nothing was written`, {
        where: join(target, name),
        hint: 'Begin in an empty folder.',
      })
  try {
    await cp(from, target, { recursive: true, filter: isCopied })
    await writeFile(join(target, '.gitignore'), IGNORED)
  } catch (error) {
    const hint = OutputError.remedy
    throw new OutputError(`the starter cannot be written: ${inWords(error)}`, { where: target, hint })
  }
  await print(
    io.stderr,
    'A starter in TypeScript was written: declare what you have in declarations.ts.\nNext: npm install, npm test, npm run synth, and what README.md says.',
  )
  return 0
}

const starterFolder = async (): Promise<string> => {
  // Two folders up from the compiled file, and one from the source.
  const packageFolder = join(import.meta.dirname, import.meta.url.endsWith('.ts') ? '..' : '../..')
  for (const place of PLACES) {
    const folder = join(packageFolder, place)
    if (await exists(join(folder, 'main.ts'))) return folder
  }
  throw new NotSupportedError('the TypeScript starter is not among the installed files', {
    where: dirname(packageFolder),
    hint: 'Copy examples/typescript/starter of a checkout.',
  })
}
