import { isUtf8 } from 'node:buffer'
import { readFiles, type ReadFile } from './files.ts'
import type { MapNode } from './node.ts'
import { parse } from './parse.ts'
import type { Report } from './report.ts'
import { Source } from './source.ts'

/** Files as they were read, and the trees of those that could be parsed. */
export interface Loaded {
  readonly sources: readonly { readonly file: string; readonly sha256: string }[]
  /** Where they are, absolute. */
  readonly paths: readonly string[]
  readonly documents: readonly MapNode[]
  /** Whether every file became a tree; otherwise names may be missing that are not. */
  readonly complete: boolean
}

/**
 * Reads and parses the files and folders that `--file` names.
 * @throws ManifestNotFoundError when one cannot be opened.
 */
export const load = async (named: readonly string[], cwd: string, report: Report): Promise<Loaded> => {
  const files = await readFiles(named, cwd)
  const trees = files.map((file) => treeOf(file, report))
  const documents = trees.filter((tree) => tree !== undefined)
  return {
    sources: files.map(({ file, sha256 }) => ({ file, sha256 })),
    paths: files.map(({ path }) => path),
    documents,
    complete: documents.length === files.length,
  }
}

const treeOf = (file: ReadFile, report: Report): MapNode | undefined => {
  const source = sourceOf(file, report)
  const tree = source && parse(source, report)
  if (tree === undefined) return undefined
  if (tree.is === 'map') return tree
  report.add(tree, { path: [], message: 'a manifest is a mapping that begins with version and name' })
  return undefined
}

const sourceOf = ({ file, path, bytes }: ReadFile, report: Report): Source | undefined => {
  const refuse = (source: Source, offset: number, message: string): undefined => {
    report.add({ source, start: offset, end: offset + 1 }, { path: [], message })
  }
  if (bytes === undefined)
    return refuse(new Source(file, path, ''), 0, 'the file is larger than 10 MB; split it into several')
  const text = new TextDecoder('utf-8').decode(bytes)
  if (isUtf8(bytes)) return new Source(file, path, text)
  // Only where it is wrong is of use; the bytes around it may be anything.
  const source = new Source(file, path, text)
  const at = Math.max(0, text.indexOf('\uFFFD'))
  source.hidden.push(source.lineRange(at))
  return refuse(source, at, 'the file is not UTF-8 text; save it as UTF-8')
}
