import { isUtf8 } from 'node:buffer'
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { knownPrivateKey, standsOut, type Environment } from '@deploymgmt/provider/api'
import { manifestParts, type KindDefinition, type ManifestPart } from '@deploymgmt/provider/core'
import type { ManifestNotFoundError } from '../../errors/manifest-not-found-error.ts'
import { noManifest, readFiles, type LayeredFile, type ReadFile } from './files.ts'
import { canBeMeant, isEverybodys, isForeign, isMeant, textCanBeMeant } from './meant.ts'
import type { Layers } from './merge.ts'
import type { MapNode } from '../tree/node.ts'
import { fieldsIn } from '../tree/outdented.ts'
import { parse } from '../tree/parse.ts'
import { Report } from '../tree/report.ts'
import { Source } from '../tree/source.ts'

/** The read files, and the trees of those that could be parsed, by their `--file`. */
export interface Loaded {
  readonly sources: readonly { readonly file: string; readonly sha256: string }[]
  /** Absolute paths. */
  readonly paths: readonly string[]
  readonly layers: Layers
  /** Whether every file was parsed; otherwise names can seem missing. */
  readonly complete: boolean
  /** Files of a folder that are no manifests, except well-known ones. */
  readonly noManifests: readonly string[]
  /** Named paths that cannot be opened. */
  readonly lacking: readonly ManifestNotFoundError[]
}

interface From {
  readonly cwd: string
  readonly key: OwnKey
  /** Files that are named for other purposes, and so are no manifests of a folder. */
  readonly others: readonly string[]
  readonly parts: Readonly<Record<string, ManifestPart>>
  /** Whether a file should be parsed; by default all are. */
  readonly isWorth?: (file: ReadFile) => boolean
}

/**
 * Reads and parses the files and folders of `--file`.
 * @throws ManifestNotFoundError if none of them is a manifest
 */
export const load = async (named: readonly string[], from: From, report: Report): Promise<Loaded> => {
  const { files: all, lacking } = await readFiles(named, from.cwd, from.others)
  const found = from.isWorth === undefined ? all : all.filter(from.isWorth)
  const read = await Promise.all(
    found.map(async (file) => ({ file, tree: await manifestOf(file, from, report) })),
  )
  const manifests = read.filter(({ tree }) => tree !== 'left out')
  const files = manifests.map(({ file }) => file)
  if (files.length === 0 && lacking.length === 0) throw noManifest(all[0]?.folder ?? '')
  const layers = Map.groupBy(manifests, ({ file }) => file.layer)
  return {
    sources: files.map(({ file, sha256 }) => ({ file, sha256 })),
    paths: files.map(({ path }) => path),
    layers: [...layers.values()].map((of) =>
      of.flatMap(({ tree }) => (typeof tree === 'object' ? tree : [])),
    ),
    complete: lacking.length === 0 && manifests.every(({ tree }) => tree !== undefined),
    noManifests: read.flatMap(({ file, tree }) =>
      tree === 'left out' && !isEverybodys(file.path) ? file.file : [],
    ),
    lacking,
  }
}

/** Absolute paths of the manifests in a folder, without files of other tools. */
export const manifestsIn = async (
  folder: string,
  { cwd, others }: Pick<From, 'cwd' | 'others'>,
  kinds: readonly KindDefinition[],
): Promise<readonly string[]> => {
  const from = { cwd, others, key: { value: undefined, file: undefined }, parts: manifestParts(kinds) }
  return (await load([folder], from, new Report())).paths
}

/** Undefined if the manifest cannot become a tree. An unnamed file of a folder may belong to another tool. */
const manifestOf = async (
  file: LayeredFile,
  { cwd, key, parts }: From,
  report: Report,
): Promise<MapNode | 'left out' | undefined> => {
  const isNamed = file.folder === undefined
  if (!isNamed && (isEverybodys(file.path) || isOther(file))) return 'left out'
  const said = new Report(key.value)
  const source = await ownSourceOf(file, { cwd, key, wanted: MANIFEST }, said)
  const tree = source && parse(source, said, { fieldsIn: fieldsIn(parts) })
  if (!isNamed && tree !== undefined && !isMeant(tree, parts)) return 'left out'
  if (tree !== undefined && (tree.is !== 'map' || !canBeMeant(tree, parts)))
    // Another tool's file, such as credentials that a link in a pull request leads to.
    return refuseWhole(file, report, MANIFEST.form)
  // A pull request can make a link lead to any file.
  const isOurs = source === undefined || tree !== undefined || textCanBeMeant(source.text, parts)
  if (!isOurs) source.showsNoLine = true
  report.take(said, isOurs ? '' : NOT_SHOWN)
  return tree
}

/** The private key of the calling key, which no message may show, wherever it occurs. */
export interface OwnKey {
  readonly value: string | undefined
  readonly file: string | undefined
}

export const ownKey = async (env: Environment): Promise<OwnKey> => {
  const known = (await knownPrivateKey(env)) ?? ''
  return {
    value: standsOut(known) ? known : undefined,
    file: env['DEPLOYMGMT_PRIVATE_KEY_FILE'] || undefined,
  }
}

const NOT_SHOWN = '; the lines of this file are not shown, because it has no key of a manifest'

/** What a file should be: its name, and its form. */
interface Wanted {
  readonly what: string
  readonly form: string
}
const MANIFEST: Wanted = {
  what: 'manifest',
  form: 'a manifest is a mapping that begins with version and name',
}

/**
 * The text of a named file, unless the file is a secret. Nothing is shown of the file with the private key, of a
 * text that is all by itself, as a password would be, or of the private key within a text.
 */
export const ownSourceOf = async (
  file: ReadFile,
  { cwd, key, wanted }: { readonly cwd: string; readonly key: OwnKey; readonly wanted: Wanted },
  report: Report,
): Promise<Source | undefined> => {
  const keyFile =
    key.file === undefined ? undefined : await realpath(resolve(cwd, key.file)).catch(() => undefined)
  if (keyFile !== undefined && (await realpath(file.path).catch(() => file.path)) === keyFile)
    return refuseWhole(file, report, `this is the private key file, not a ${wanted.what}`)
  const source = sourceOf(file, report)
  if (source === undefined) return undefined
  if (isForeign(source.text)) return refuseWhole(file, report, wanted.form)
  if (key.value !== undefined) hideIn(source, key.value)
  return source
}

/** Refuses a file without quoting it. */
const refuseWhole = ({ file, path }: ReadFile, report: Report, message: string): undefined => {
  report.add({ source: new Source(file, path, ''), start: 0, end: 1 }, { path: [], message })
}

const isOther = ({ bytes }: ReadFile): boolean =>
  bytes !== undefined && isUtf8(bytes) && isForeign(bytes.toString())

const hideIn = ({ text, hidden }: Source, secret: string): void => {
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
    hidden.push({ start: at, end: at + secret.length })
}

/** As some editors save it; its letters are also valid UTF-8, with a NUL beside each. */
const isUtf16 = ([first, second]: Buffer): boolean => first === 0 || second === 0

const sourceOf = ({ file, path, bytes }: ReadFile, report: Report): Source | undefined => {
  const refuse = (source: Source, offset: number, message: string): undefined => {
    report.add({ source, start: offset, end: offset + 1 }, { path: [], message })
  }
  if (bytes === undefined)
    return refuse(new Source(file, path, ''), 0, 'the file is larger than 10 MB; split it into several')
  const text = new TextDecoder('utf-8').decode(bytes)
  if (isUtf8(bytes) && !isUtf16(bytes)) return new Source(file, path, text)
  // Only the position of the error is used; the bytes around it may be anything.
  const source = new Source(file, path, text)
  const at = Math.max(0, text.indexOf('\uFFFD'))
  source.hidden.push(source.lineRange(at))
  return refuse(source, at, 'the file is not UTF-8 text; save it as UTF-8')
}
