import { entryOf, type Found } from '@deploymgmt/provider/engine'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { LoadedDeclaration } from '../config/index.ts'
import { UsageError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import { counted, number } from '../render/sentences.ts'
import { few } from '../text/few.ts'
import { typed } from './adopt-files.ts'
import type { Proving } from './adopt-proof.ts'
import { declaringAny, flagsWith } from './released-beside.ts'
import { folderOf } from './state-meant.ts'

/** Manifests of this name beside that are not read, with the entries that each declares: what was renamed is one. */
export type Beside = ReadonlyMap<string, readonly string[]>

export const besideOf = async (
  { cwd }: Pick<Io, 'cwd'>,
  { head, declaredBeside }: LoadedDeclaration,
): Promise<Beside> => declaredBeside(await folderOf(head, cwd))

/**
 * Looks once more, as if each of these were read: what one of them declares or mentions is there already, and written
 * once more it would be declared twice.
 *
 * @throws UsageError with the flags that read them
 */
export const refuseWritten = async (
  { io, options }: Pick<Proving, 'io' | 'options'>,
  seen: Found,
  beside: Beside,
  lookWith: (paths: readonly string[]) => Promise<Found>,
): Promise<void> => {
  const all = namesIn(seen)
  if (beside.size === 0 || all.size === 0) return
  const hadBy = async (paths: readonly string[]): Promise<number> => {
    const left = await lookWith(paths).then(namesIn, unreadable)
    return left === undefined ? 0 : [...all].filter((each) => !left.has(each)).length
  }
  const paths = [...beside.keys()]
  if (paths.length > 1 && (await hadBy(paths)) === 0) return
  const having: string[] = []
  let count = 0
  for (const path of paths) {
    const own = await hadBy([path])
    if (own > 0) having.push(typed(io.cwd, path))
    count += own
  }
  if (having.length === 0) return
  const [are, it] = having.length === 1 ? ['is not read, and has', 'it'] : ['are not read, and have', 'them']
  throw new UsageError(
    `${few(having)} ${are} ${number(Math.min(count, all.size))} of the ${counted(all.size, 'thing')} that would be written`,
    {
      hint: `To read ${it}, too: deploymgmt adopt${flagsWith(options.file, having)}; where ${it === 'it' ? 'it is' : 'they are'} no part of this, move ${it} out of the folder.`,
    },
  )
}

/** What cannot be read together with the others says nothing of what is there. */
const unreadable = (error: unknown): undefined => {
  if (!(error instanceof DeploymgmtError)) throw error
}

/** What is there and nobody declares, each thing once. */
const namesIn = ({ proposals, told }: Found): ReadonlySet<string> =>
  new Set([
    ...proposals.flatMap(({ definition: { kind }, place, keys }) =>
      keys.map((key) => JSON.stringify([kind, place, key])),
    ),
    ...told.map(({ definition: { kind }, value }) => JSON.stringify([kind, value])),
  ])

/** Those that declare what is recorded, as a person would type them: a plan without them would release it. */
export const withRecorded = ({ io, records }: Pick<Proving, 'io' | 'records'>, beside: Beside): string[] =>
  [...declaringAny(beside, new Set(Object.keys(records).map(entryOf))).keys()].map((path) =>
    typed(io.cwd, path),
  )

/** That they are there. */
export const sayBeside = ({ cwd }: Pick<Io, 'cwd'>, beside: Beside): string[] => {
  const paths = [...beside.keys()].map((path) => typed(cwd, path))
  if (paths.length === 0) return []
  const flags = paths.length > FEW ? '-f for each' : paths.map((path) => `-f ${path}`).join(' ')
  return paths.length === 1
    ? [
        `${few(paths)} is a manifest of the same name that was not read: a plan that is to have it needs ${flags}, too.`,
      ]
    : [
        `${few(paths)} are manifests of the same name that were not read: a plan that is to have them needs ${flags}, too.`,
      ]
}

const FEW = 3
