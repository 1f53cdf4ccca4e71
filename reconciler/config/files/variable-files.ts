import { resolve } from 'node:path'
import { isUsualId } from '@deploymgmt/provider/core/check'
import type { ManifestNotFoundError } from '../../errors/manifest-not-found-error.ts'
import { readFile, unlessLacking } from './files.ts'
import { ownSourceOf, type OwnKey } from './load.ts'
import { kindOf, pairOf, type MapNode, type Node, type Pair } from '../tree/node.ts'
import { parse } from '../tree/parse.ts'
import type { Report } from '../tree/report.ts'
import { hideSecrets } from '../tree/secrets.ts'

interface LoadedVariables {
  readonly sources: readonly { readonly file: string; readonly sha256: string }[]
  readonly paths: readonly string[]
  readonly documents: readonly MapNode[]
  /** Whether every file is a mapping. */
  readonly complete: boolean
  /** Paths that cannot be opened. */
  readonly lacking: readonly ManifestNotFoundError[]
}

const HINT = 'Name a file of variables, NAME: VALUE, with --var-file.'
const FORM = 'a file of variables is a mapping: NAME: VALUE'

/** Reads the files of `--var-file`, in the given order. */
export const loadVariables = async (
  named: readonly string[],
  place: { readonly cwd: string; readonly key: OwnKey },
  report: Report,
): Promise<LoadedVariables> => {
  const lacking: ManifestNotFoundError[] = []
  const read = await Promise.all(
    named.map((file) =>
      unlessLacking(lacking, async () => [await readFile(file, resolve(place.cwd, file), HINT)]),
    ),
  )
  const files = read.flat()
  const wanted = { what: 'file of variables', form: FORM }
  const documents: MapNode[] = []
  for (const file of files) {
    const source = await ownSourceOf(file, { ...place, wanted }, report)
    const tree = source && parse(source, report, { needs: FORM })
    if (tree?.is === 'map') {
      hideSecrets(tree, {})
      documents.push(tree)
    } else if (tree !== undefined) report.add(tree, { path: [], message: FORM })
  }
  return {
    sources: files.map(({ file, sha256 }) => ({ file, sha256 })),
    paths: files.map(({ path }) => path),
    documents,
    complete: documents.length === named.length,
    lacking,
  }
}

/** A tree in which the values of variable files replace the defaults of variables. */
export const withVariables = (
  root: MapNode,
  documents: readonly MapNode[],
  about: { readonly complete: boolean; readonly report: Report },
): MapNode => {
  const section = pairOf(root, 'variables')
  const declared = section?.value.is === 'map' ? section.value.pairs : new Map<string, Pair>()
  const pairs = new Map(declared)
  for (const document of documents)
    for (const told of document.pairs.values()) {
      const variable = declared.get(told.key.text)
      if (variable === undefined) refuseUnknown(told, [...declared.keys()], about)
      else if (variable.value.is === 'map' && isOfType(told, variable.value, about.report))
        pairs.set(told.key.text, { key: variable.key, value: withDefault(variable.value, told.value) })
    }
  if (section?.value.is !== 'map' || documents.length === 0) return root
  const value: MapNode = { ...section.value, pairs }
  return { ...root, pairs: new Map(root.pairs).set('variables', { key: section.key, value }) }
}

const withDefault = (variable: MapNode, value: Node): MapNode => {
  const key = pairOf(variable, 'default')?.key ?? {
    ...variable,
    is: 'scalar',
    value: 'default',
    text: 'default',
  }
  return { ...variable, pairs: new Map(variable.pairs).set('default', { key, value }) }
}

const refuseUnknown = (
  { key }: Pair,
  declared: readonly string[],
  { complete, report }: { readonly complete: boolean; readonly report: Report },
): void => {
  if (!complete) return
  const message = `the manifest has no variable ${key.text}`
  const suggestion = report.nearest(key.text, declared)
  report.add(key, {
    path: [key.text],
    message,
    suggestion,
    allowed: declared.length > 20 ? undefined : declared,
  })
}

/** A file can only replace a declared text, list and so on by a value of the same type. */
const isOfType = ({ key, value }: Pair, variable: MapNode, report: Report): boolean => {
  const fallback = pairOf(variable, 'default')?.value
  const [wanted, found] = [fallback && kindOf(fallback), kindOf(value)]
  // YAML reads an id of digits as a number.
  const isId = wanted === 'string' && found === 'number' && value.is === 'scalar' && isUsualId(value.text)
  if (found !== 'empty value' && (wanted === undefined || wanted === found || isId)) return true
  const path = [key.text]
  if (found === 'empty value')
    report.add(value, { path, message: 'there is no value here; give one or remove the line' })
  else
    report.add(value, {
      path,
      message: `the variable is a ${WORDS[wanted ?? ''] ?? wanted} by its default, and here stands a ${WORDS[found] ?? found}`,
      suggestion: wanted === 'string' && value.is === 'scalar' ? JSON.stringify(value.text) : undefined,
    })
  return false
}

const WORDS: Readonly<Record<string, string>> = { string: 'text', boolean: 'truth value' }
