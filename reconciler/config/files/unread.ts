import { manifestParts, type KindDefinition } from '@deploymgmt/provider/core'
import { ManifestNotFoundError } from '../../errors/manifest-not-found-error.ts'
import type { ReadFile } from './files.ts'
import { load, type Loaded, type OwnKey } from './load.ts'
import { pairOf, type MapNode } from '../tree/node.ts'
import { Report } from '../tree/report.ts'

interface From extends Pick<Loaded, 'paths'> {
  /** What the manifest that is read is called: as it is evaluated, and as it is written. */
  readonly names: ReadonlySet<string | undefined>
  readonly key: OwnKey
}

/** Manifests of a folder that are not read and are of the same name: which entries each declares, by path. */
export const unreadIn = async (
  folder: string,
  { paths, names, key }: From,
  kinds: readonly KindDefinition[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const isWorth = (file: ReadFile): boolean => maySay(file, names)
  const from = { cwd: folder, key, varFiles: paths, parts: manifestParts(kinds), isWorth }
  // What is wrong with a file that nobody has named stops nothing, nor that there is none.
  const found = await load([folder], from, new Report(key.value)).catch((error: unknown) => {
    if (error instanceof ManifestNotFoundError) return undefined
    throw error
  })
  const own = (found?.layers.flat() ?? []).filter((document) => names.has(nameOf(document)))
  return new Map(own.map((document) => [document.source.path, entriesIn(document, kinds)]))
}

/** Whether a file may be of one of the names: data of other tools lie beside manifests, too, and may be large. */
const maySay = ({ path, bytes }: ReadFile, names: ReadonlySet<string | undefined>): boolean => {
  if (bytes === undefined) return false
  if (!/\.json$/i.test(path)) return [...names].some((name) => name !== undefined && mayHold(bytes, name))
  try {
    const value = JSON.parse(bytes.toString().replace(/^\uFEFF/, '')) as { readonly name?: string } | null
    return names.has(value?.name)
  } catch {
    // Nor would it be read as a manifest.
    return false
  }
}

/** In quotes, a backslash or a quote that is doubled may stand for what is not written. */
const mayHold = (bytes: Buffer, name: string): boolean =>
  [name, '\\', "''"].some((each) => bytes.includes(each))

/** As it is written. */
export const nameOf = (document: MapNode): string | undefined => {
  const value = pairOf(document, 'name')?.value
  return value?.is === 'scalar' ? value.text : undefined
}

const entriesIn = (document: MapNode, kinds: readonly KindDefinition[]): string[] =>
  kinds.flatMap(({ section }) => {
    const value = pairOf(document, section)?.value
    return value?.is === 'map' ? [...value.pairs.keys()].map((each) => `${section}.${each}`) : []
  })
