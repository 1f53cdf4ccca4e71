import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROJECTS } from '../known/declared.ts'
import type { World } from '../world.ts'

/** The formats that are written beside the document. */
const FORMATS = {
  plan: ['text', 'markdown', 'html'],
  drift: ['text', 'markdown', 'html', 'junit', 'sarif', 'brief'],
} as const
type Report = keyof typeof FORMATS

/** A report in each format; one that it does not have is empty. */
export type Faces = Readonly<Record<(typeof FORMATS)[Report][number], string>>

const fileOf = (report: Report, format: string): string => `${report}.${format}`

export const besides = (report: Report): string[] =>
  FORMATS[report].flatMap((format) => ['--format', `${format}=${fileOf(report, format)}`])

export const facesIn = async ({ folder }: World, report: Report): Promise<Faces> => {
  const texts = FORMATS[report].map(
    async (format) => [format, await readFile(join(folder, fileOf(report, format)), 'utf8')] as const,
  )
  return { junit: '', sarif: '', brief: '', ...Object.fromEntries(await Promise.all(texts)) } as Faces
}

/** The text of HTML, without tags. */
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .trim()

/** What the rows of a page's tables are about: each address and its mark, and of a row for several each of them. */
export const rowsOf = (page: string): string[] =>
  page
    .split(/(?=<tr\s[^>]*data-mark=)/)
    .slice(1)
    .flatMap((row) => {
      const [, mark = ''] = row.match(/data-mark="([^"]+)"/) ?? []
      const [, head = ''] = row.match(/<th[^>]*>\s*<bdi>(.*?)<\/bdi>/s) ?? []
      const [, list = ''] = row.match(/<ul class="occurrences">(.*?)<\/ul>/s) ?? []
      const listed = [...list.matchAll(/<li>.*?<bdi>(.*?)<\/bdi>/gs)].map(([, address = '']) => address)
      return (listed.length === 0 ? [head] : listed).map((address) => `${plain(address)} ${mark}`)
    })
    .toSorted()

/** The counts above the table of a page. */
export const marksOf = (page: string): Record<string, number> =>
  sums([
    ...page.matchAll(
      /<li class="\w+" [^>]*>\s*<span class="symbol"[^>]*>[^<]*<\/span> <b>(\d+)<\/b>([^<]*)</g,
    ),
  ])

/** Sums the counts by what they count, such as `3 drifted`, `1 in sync`. */
const sums = (counts: readonly RegExpExecArray[]): Record<string, number> => {
  const all: Record<string, number> = {}
  for (const [, count = '', label = ''] of counts)
    all[label.trim()] = (all[label.trim()] ?? 0) + Number(count)
  return all
}

/** The same for a line of counts whose labels are known. */
export const countsIn = (text: string, labels: readonly string[]): Record<string, number> => {
  const longestFirst = labels.toSorted((a, b) => b.length - a.length).join('|')
  const counts = new RegExp(
    String.raw`(?<![\w.])(\d+) (${longestFirst})(?: \([^)]*\))?(?=, |,\n| · |\n|$)`,
    'g',
  )
  return sums([...text.matchAll(counts)])
}

/** Whether the text names an address itself, not as the beginning of a longer one. A line may be broken at a space. */
export const isNamedIn = (text: string, address: string): boolean => {
  const line = text.replaceAll(/\s+/g, ' ')
  const whole = new RegExp(`(?<![\\w.-])${escaped(address)}(?![\\w\\[-]|\\.\\w)`)
  return whole.test(line) || isAmongOthers(line, address)
}

/** An address as part of a regular expression. */
export const escaped = (text: string): string => text.replaceAll(/[[\].]/g, String.raw`\$&`)

/**
 * Several of one entry are told by what their keys differ in: occurrences as `ENTRY[START]` and each by its start, others
 * as `ENTRY[KEY, KEY]`, with projects by their names.
 */
const isAmongOthers = (line: string, address: string): boolean => {
  const { entry = '', key } = /^(?<entry>[^[]+)\[(?<key>[^\]]+)\]$/.exec(address)?.groups ?? {}
  if (key === undefined) return false
  const inBrackets = [...line.matchAll(new RegExp(`(?<![\\w.-])${escaped(entry)}\\[([^\\]]+)\\]`, 'g'))]
  const start = key.split('/').at(-1) ?? key
  return inBrackets.some(([, told = '']) =>
    /(?:^|\/)START$/.test(told)
      ? line.includes(start)
      : told.split(', ').some((each) => [key, nameOf(key)].includes(each)),
  )
}

const nameOf = (id: string): string | undefined =>
  Object.entries(PROJECTS).find(([, project]) => project === id)?.[0]

/** Whether a terminal has folded similar lines, and says how many. */
export const isFolded = (text: string): boolean => /… \d+ more/.test(text)
