import type { Environment } from '@deploymgmt/provider/api'
import type { ReadFile } from '../files/files.ts'
import { ownKey, ownSourceOf } from '../files/load.ts'
import type { MapNode, Node } from '../tree/node.ts'
import { parse } from '../tree/parse.ts'
import type { Path } from '../tree/path.ts'
import { Report } from '../tree/report.ts'
import type { Source } from '../tree/source.ts'

/** What a file should be: its name, the form of its content in words, and the node for it. */
interface Wanted<I extends Node['is']> {
  readonly what: string
  readonly form: string
  readonly is: I
}

/** A file with a list of a person's own. */
interface ListFile<I extends Node['is']> {
  readonly source: Source | undefined
  /** Undefined if something else is there; the report says so. */
  readonly root: Extract<Node, { is: I }> | undefined
  readonly report: Report
}

/** Parses a file that was read, and reports what is not of the wanted form. */
export const listFileOf = async <I extends Node['is']>(
  file: ReadFile,
  { what, form, is }: Wanted<I>,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<ListFile<I>> => {
  const key = await ownKey(env)
  const report = new Report(key.value)
  const needs = `it has to be ${form}`
  const source = await ownSourceOf(file, { cwd, key, wanted: { what, form: needs } }, report)
  const root = source && parse(source, report, { needs })
  const isOther = root !== undefined && root.is !== is
  if (isOther) report.add(root, { path: [], message: `this has to be ${form}` })
  return { source, root: isOther ? undefined : (root as ListFile<I>['root']), report }
}

/** Reports keys that a mapping cannot have. A misspelt key does not count as missing as well. */
export const refuseUnknown = (
  node: MapNode,
  path: Path,
  { what, known }: { readonly what: string; readonly known: readonly string[] },
  report: Report,
): void => {
  for (const { key } of node.pairs.values()) {
    if (known.includes(key.text)) continue
    const suggestion = report.nearest(key.text, known)
    if (suggestion !== undefined) report.noteMeant(path, suggestion)
    const message = `${what} has no ${key.text}`
    report.add(key, { path: [...path, key.text], message, suggestion, allowed: known })
  }
}

/** What must be in a list only once, and where it is. */
export interface Once {
  readonly key: string
  readonly node: Node
  readonly path: Path
}

/** Reports all but the first of those with the same key. */
export const refuseSecond = (all: readonly Once[], message: string, report: Report): void => {
  const first = new Map<string, Node>()
  for (const { key, node, path } of all) {
    const also = first.get(key)
    if (also === undefined) first.set(key, node)
    else report.add(node, { path, message, also })
  }
}
