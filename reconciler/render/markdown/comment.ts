import { prose } from './markdown.ts'
import { counted } from '../wording/sentences.ts'

/** A number with its noun. */
export type Counting = (count: number) => string

/** A section of a comment: as many of its items as there is room for, between its beginning and its end. */
export interface Section {
  readonly before: string
  readonly items: readonly string[]
  /** The separator between its beginning, its items and its end. */
  readonly by: string
  /** `left` items had no room; 0 if all are there. */
  readonly after: (left: number) => string
  /** What is left out with so many items: `1 maintenance window to create`. */
  readonly countedAs: Counting
  /** The number if no item has room; by default the number of items. */
  readonly count?: number
}

/** A paragraph, complete or left out. */
export const wholeSection = (text: string): Section => ({
  before: '',
  items: [text],
  by: '',
  after: () => '',
  countedAs: (count) => counted(count, 'paragraph'),
})

/** A GitHub comment holds 65,536 characters. This is in bytes, which are never fewer. */
const ROOM = 65_000
/** For the line about what was cut. */
const LAST = 1500
const MOST_NOUNS = 8

const bytes = (text: string): number => Buffer.byteLength(text)

interface Filled {
  readonly text: string
  readonly left: number
}

/**
 * As much as there is room for, cut between two items; the last line says what is left out, and where to find
 * everything.
 */
export const comment = (sections: readonly Section[], whole: string): string => {
  const left = new Map<string, { readonly countedAs: Counting; readonly count: number }>()
  let room = ROOM - LAST
  const shown = sections.flatMap((section) => {
    const filled = fill(section, room - 2)
    if (filled.left > 0) {
      const { countedAs } = section
      const key = countedAs(2)
      left.set(key, { countedAs, count: (left.get(key)?.count ?? 0) + filled.left })
    }
    if (filled.text === '') return []
    room -= bytes(filled.text) + 2
    return [filled.text]
  })
  return [...shown, ...(left.size === 0 ? [] : [cutLine([...left.values()], whole)])].join('\n\n')
}

const fill = (section: Section, room: number): Filled => {
  const { before, items, by, after, count = items.length } = section
  const frame = bytes(before) + bytes(after(items.length)) + 2 * bytes(by)
  let used = frame
  const end = items.findIndex((item) => {
    used += bytes(item) + bytes(by)
    return used > room
  })
  if (end === 0 || frame > room) return { text: '', left: count }
  const kept = end === -1 ? items : items.slice(0, end)
  const left = items.length - kept.length
  return { text: [before, ...kept, after(left)].filter((part) => part !== '').join(by), left }
}

const cutLine = (
  left: readonly { readonly countedAs: Counting; readonly count: number }[],
  whole: string,
): string => {
  const told = left.map(({ countedAs, count }) => prose(countedAs(count).slice(0, 80)))
  const [shown, others] = [told.slice(0, MOST_NOUNS), told.slice(MOST_NOUNS)]
  const more = others.length === 0 ? '' : ` and more of ${others.length} other kinds`
  return `**Cut here:** a comment has no room for ${shown.join(', ')}${more}. All of it: ${whole}`
}
