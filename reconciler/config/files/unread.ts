import { manifestParts, type KindDefinition } from '@deploymgmt/provider/core'
import { ManifestNotFoundError } from '../../errors/manifest-not-found-error.ts'
import type { ReadFile } from './files.ts'
import { load, type Loaded, type OwnKey } from './load.ts'
import { pairOf, type MapNode } from '../tree/node.ts'
import { Report } from '../tree/report.ts'

/** Unread manifests by path, with the entries that each declares. */
export type Unread = ReadonlyMap<string, readonly string[]>

interface From extends Pick<Loaded, 'paths'> {
  /** The name of the manifest that is read: as evaluated, and as written. Without it, any name counts. */
  readonly names: ReadonlySet<string | undefined> | undefined
  readonly key: OwnKey
}

/** Unread manifests with the same name, or any, at these paths of files or folders. */
export const unreadAt = async (
  places: readonly string[],
  from: From,
  kinds: readonly KindDefinition[],
): Promise<Unread> => {
  const found = await Promise.all(places.map((place) => unreadAtOne(place, from, kinds)))
  return new Map(found.flat())
}

const unreadAtOne = async (
  place: string,
  { paths, names, key }: From,
  kinds: readonly KindDefinition[],
): Promise<(readonly [string, string[]])[]> => {
  const isWorth = (file: ReadFile): boolean => maySay(file, names)
  const from = { cwd: place, key, others: paths, parts: manifestParts(kinds), isWorth }
  // Errors in a file that nobody has named, or a missing file, stop nothing.
  const found = await load([place], from, new Report(key.value)).catch((error: unknown) => {
    if (error instanceof ManifestNotFoundError) return undefined
    throw error
  })
  const own = (found?.layers.flat() ?? []).filter((document) => names?.has(nameOf(document)) ?? true)
  return own.map((document) => [document.source.path, entriesIn(document, kinds)])
}

/** Whether a file may contain one of the names: data files of other tools can be beside manifests, and be large. */
const maySay = ({ path, bytes }: ReadFile, names: From['names']): boolean => {
  if (bytes === undefined) return false
  if (names === undefined) return true
  if (!/\.json$/i.test(path)) return [...names].some((name) => name !== undefined && mayHold(bytes, name))
  try {
    const value = JSON.parse(bytes.toString().replace(/^\uFEFF/, '')) as { readonly name?: string } | null
    return names.has(value?.name)
  } catch {
    // Such a file is not read as a manifest either.
    return false
  }
}

/** In quotes, a backslash or a doubled quote may stand for other characters. */
const mayHold = (bytes: Buffer, name: string): boolean =>
  [name, '\\', "''"].some((each) => bytes.includes(each))

/** The name as written. */
export const nameOf = (document: MapNode): string | undefined => {
  const value = pairOf(document, 'name')?.value
  return value?.is === 'scalar' ? value.text : undefined
}

const entriesIn = (document: MapNode, kinds: readonly KindDefinition[]): string[] =>
  kinds.flatMap(({ section }) => {
    const value = pairOf(document, section)?.value
    return value?.is === 'map' ? [...value.pairs.keys()].map((each) => `${section}.${each}`) : []
  })
