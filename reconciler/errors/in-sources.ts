import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** A stack trace with places in the sources in place of those in a bundle. */
export const inSources = (stack: string): string => {
  const maps = new Map<string, SourceMap | undefined>()
  return stack.replaceAll(PLACE, (place: string, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, mapOf(file))
    const found = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (found === undefined || !('originalSource' in found)) return place
    // Relative to the folder that contains the package.
    const source = relative(join(dirname(file), '..', '..'), join(dirname(file), found.originalSource))
    return `${source}:${String(found.originalLine + 1)}:${String(found.originalColumn + 1)}`
  })
}

const PLACE = /(?<=\(|at |at async )((?:\/|[A-Z]:)[^\n\(\)]*\.cjs):(\d+):(\d+)/gv

/** Only bundles have a source map. */
const mapOf = (file: string): SourceMap | undefined => {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload)
  } catch {
    return undefined
  }
}
