import type { Spelling } from '@deploymgmt/provider/core'
import type { Position } from '@deploymgmt/provider/engine'
import type { Path } from './path.ts'

/** How to describe places of a translated file. */
export interface Dialect {
  readonly spelling: Spelling
  pathOf(path: Path): Path
  /** Further information on the origin of a place. */
  remarkOn(path: Path): string | undefined
}

/** The text of a file, with the conversion of offsets to lines and columns. */
export class Source {
  /** The name as the user typed it. */
  readonly file: string
  /** The absolute path. */
  readonly path: string
  readonly text: string
  /** Ranges that no message may show. */
  readonly hidden: { readonly start: number; readonly end: number }[] = []
  /** Whether no message may show any line. */
  showsNoLine = false
  /** Set if the checked tree is a translation of the file. */
  dialect: Dialect | undefined
  #starts: number[] | undefined

  constructor(file: string, path: string, text: string) {
    this.file = file
    this.path = path
    this.text = text
  }

  /** Line and column of an offset, both from 1; columns count UTF-16 units, as editors do. */
  position(offset: number): Position {
    const line = this.#lineAt(offset)
    return { file: this.file, line, column: offset - (this.#lineStarts()[line - 1] ?? 0) + 1 }
  }

  /** Offsets of the line that contains `offset`, without its line break. */
  lineRange(offset: number): { start: number; end: number } {
    const starts = this.#lineStarts()
    const line = this.#lineAt(offset)
    const start = starts[line - 1] ?? 0
    let end = starts[line] ?? this.text.length
    while (end > start && /[\r\n]/.test(this.text[end - 1] ?? '')) end -= 1
    return { start, end }
  }

  #lineAt(offset: number): number {
    return lineOf(this.#lineStarts(), offset) + 1
  }

  #lineStarts(): readonly number[] {
    this.#starts ??= startsIn(this.text)
    return this.#starts
  }
}

/** The index of the line that contains an offset, counted from 0. */
export const lineOf = (starts: readonly number[], offset: number): number => {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** The starts of lines: after a line feed, and after a carriage return without one. */
const startsIn = (text: string): number[] => {
  const [lineFeed, carriageReturn] = [0x0a, 0x0d]
  const starts = [0]
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    return starts
  }
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const isEnd = unit === lineFeed || (unit === carriageReturn && text.charCodeAt(index + 1) !== lineFeed)
    if (isEnd) starts.push(index + 1)
  }
  return starts
}
