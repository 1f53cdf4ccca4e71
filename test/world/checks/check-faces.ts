import { expect } from 'vitest'
import { countsIn, isFolded, isNamedIn, marksOf, rowsOf, type Faces } from './faces.ts'
import { count } from '../tally.ts'

/** What each format has to say, counted from the parts of the document, which other checks judge. */
interface Told {
  readonly drifted: readonly string[]
  readonly late: readonly string[]
  readonly pending: readonly string[]
  readonly unverifiable: readonly string[]
  readonly inSync: readonly string[]
  readonly accepted: readonly string[]
  readonly open: readonly string[]
  /** Undeclared things that are reported, and those that are ignored. */
  readonly news: number
  readonly known: number
  /** Whether undeclared things are failures. */
  readonly isNewsCounted: boolean
  readonly exitCode: number
}

const addresses = (list: readonly any[]): string[] => list.map(({ address }) => address)

const toldOf = ({
  resources,
  accepted = [],
  toBeSettled,
  unmanaged = [],
  exitCode,
}: any): Omit<Told, 'isNewsCounted'> => {
  const of = (verdict: string, isLate?: boolean): string[] =>
    addresses(
      resources.filter(
        (each: any) =>
          each.verdict === verdict && (isLate === undefined || (each.isLate === true) === isLate),
      ),
    )
  const news = unmanaged.filter(({ ignored }: any) => ignored === undefined).length
  return {
    drifted: of('drifted'),
    late: of('pending', true),
    pending: of('pending', false),
    unverifiable: of('unverifiable'),
    inSync: of('in-sync'),
    accepted: addresses(accepted),
    open: addresses(toBeSettled),
    news,
    known: unmanaged.length - news,
    exitCode,
  }
}

/**
 * Every format of a drift report says what the document says: the same addresses, verdicts and numbers. A flag can make
 * it fail, because of what nobody declares or of something else.
 */
export const checkDriftFaces = (
  document: any,
  faces: Faces,
  { isCounted = false, isNewsCounted = false } = {},
): void => {
  const told = { ...toldOf(document), isNewsCounted }
  const { exitCode } = told
  const isDifferent = isCounted || told.drifted.length + told.late.length + told.open.length > 0
  expect({ exitCode, summary: document.summary }).toEqual({
    exitCode: isDifferent ? 2 : 0,
    summary: {
      'in-sync': told.inSync.length,
      drifted: told.drifted.length,
      unverifiable: told.unverifiable.length,
      pending: told.late.length + told.pending.length,
      accepted: told.accepted.length,
      ...(document.unmanaged === undefined ? {} : { unmanaged: told.news }),
    },
  })
  checkJunit(told, faces.junit)
  checkSarif(told, faces.sarif)
  checkPage(told, faces.html)
  checkText(told, faces.text)
  checkMarkdown(told, faces)
}

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted()

/** A thing without an address is named by its section and its ids. */
const isStrange = (name: string): boolean => name.includes(' (')

const checkJunit = (told: Told, xml: string): void => {
  const cases = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*?(?:\/>|>\s*<(\w+))/g)].map(
    ([, name = '', result = 'passed']) => ({ name, result }),
  )
  const failing = new Set([...told.drifted, ...told.late, ...told.open])
  const skipped = new Set([...told.pending, ...told.unverifiable, ...told.accepted])
  const resultOf = (name: string): string => {
    if (failing.has(name)) return 'failure'
    return skipped.has(name) ? 'skipped' : 'passed'
  }
  const names = sorted([...failing, ...skipped, ...told.inSync])
  const { news, known, isNewsCounted } = told
  const failed = isNewsCounted ? news : 0
  const strange = Array.from({ length: news + known }, (_, at) => (at < failed ? 'failure' : 'skipped'))
  expect(
    cases
      .filter(({ name }) => !isStrange(name))
      .map(({ name, result }) => `${name} ${result}`)
      .toSorted(),
  ).toEqual(names.map((name) => `${name} ${resultOf(name)}`))
  const found = cases.flatMap(({ name, result }) => (isStrange(name) ? [result] : []))
  expect(found.toSorted()).toEqual(strange)
  const [, tests, failures, left] =
    /<testsuite [^>]*tests="(\d+)" failures="(\d+)" errors="0" skipped="(\d+)"/.exec(xml) ?? []
  expect([tests, failures, left].map(Number)).toEqual([
    cases.length,
    failing.size + failed,
    cases.filter(({ result }) => result === 'skipped').length,
  ])
}

const RULES = ['drifted', 'not-found', 'event-since', 'acceptance-ended']

/** There is a result for each field; this only requires one for each address. */
const checkSarif = (told: Told, log: string): void => {
  const [{ results, invocations }] = JSON.parse(log).runs
  const namesOf = (isMeant: (ruleId: string) => boolean, isKnown: boolean): string[] =>
    results
      .filter(({ ruleId, suppressions }: any) => isMeant(ruleId) && (suppressions !== undefined) === isKnown)
      .map(({ locations }: any) => locations[0].logicalLocations[0].fullyQualifiedName)
  expect({
    drifted: sorted(namesOf((rule) => RULES.includes(rule), false)),
    late: sorted(namesOf((rule) => rule === 'pending-late', false)),
    open: sorted(namesOf((rule) => rule === 'to-be-settled', false)),
    accepted: sorted(namesOf((rule) => rule !== 'unmanaged', true)),
    news: namesOf((rule) => rule === 'unmanaged', false).length,
    known: namesOf((rule) => rule === 'unmanaged', true).length,
    exitCode: invocations[0].exitCode,
  }).toEqual({
    drifted: sorted(told.drifted),
    late: sorted(told.late),
    open: sorted(told.open),
    accepted: sorted(told.accepted),
    news: told.news,
    known: told.known,
    exitCode: told.exitCode,
  })
}

/** Marks of the page that are called drifted in the document. */
const VERDICTS: Readonly<Record<string, string>> = { gone: 'drifted', perhaps: 'drifted' }

const checkPage = (told: Told, page: string): void => {
  const rows = rowsOf(page).map((row) => row.replace(/ (gone|perhaps)$/, (_, mark) => ` ${VERDICTS[mark]}`))
  const { drifted, late, pending, unverifiable, inSync, accepted } = told
  const meant = { drifted, late, pending, unverifiable, 'in-sync': inSync, accepted }
  expect(rows.toSorted()).toEqual(
    Object.entries(meant)
      .flatMap(([mark, names]) => names.map((name) => `${name} ${mark}`))
      .toSorted(),
  )
  const { gone = 0, drifted: sure = 0, 'perhaps drifted': perhaps = 0, ...others } = marksOf(page)
  expect({ ...others, drifted: gone + sure + perhaps }).toEqual({
    ...(late.length > 0 ? { late: late.length } : {}),
    ...(pending.length > 0 ? { pending: pending.length } : {}),
    ...(unverifiable.length > 0 ? { 'not verifiable': unverifiable.length } : {}),
    ...(inSync.length > 0 ? { 'in sync': inSync.length } : {}),
    drifted: drifted.length,
  })
  expect([...page.matchAll(/<li id="unmanaged-/g)]).toHaveLength(told.news + told.known)
}

const LABELS = [
  'drifted',
  'perhaps drifted',
  'accepted',
  'late',
  'pending',
  'not verifiable',
  'unmanaged',
  'in sync',
]

const checkText = (told: Told, text: string): void => {
  const named = [
    ...told.drifted,
    ...told.late,
    ...told.pending,
    ...told.unverifiable,
    ...told.accepted,
    ...told.open,
  ]
  const left = named.filter((address) => !isNamedIn(text, address))
  if (!isFolded(text)) expect({ text, left }).toEqual({ text, left: [] })
  else count('drift as text: folded')
  // The counts are in the first lines if there is nothing to report, otherwise at the end.
  const { drifted = 0, 'perhaps drifted': perhaps = 0, ...counts } = countsIn(text, LABELS)
  const meant = {
    drifted: told.drifted.length,
    accepted: told.accepted.length,
    late: told.late.length,
    pending: told.pending.length,
    'not verifiable': told.unverifiable.length,
    unmanaged: told.news,
    'in sync': told.inSync.length,
  }
  const zeros = Object.fromEntries(Object.keys(meant).map((name) => [name, 0]))
  expect({ text, ...zeros, ...counts, drifted: drifted + perhaps }).toEqual({ text, ...meant })
}

const NOUNS = [
  'drifted',
  'gone',
  'no longer accepted',
  'perhaps drifted, according to events',
  'late',
  'to be settled by apply',
  'unmanaged',
]

/** The heading says the verdict in words; the table counts all findings, and the sections name them. */
const checkMarkdown = (told: Told, { markdown, brief }: Faces): void => {
  const [first = ''] = markdown.split('\n', 1)
  const verdict = first.replace(/^### /, '')
  expect(brief).toContain(verdict)
  expect(brief.trimEnd().split('\n').length).toBeLessThanOrEqual(4)
  const named = [
    ...told.drifted,
    ...told.late,
    ...told.open,
    ...told.accepted,
    ...told.pending,
    ...told.unverifiable,
  ]
  const isNamed = (address: string): boolean =>
    ['`', ' ('].some((end) => markdown.includes(`\`${address}${end}`)) ||
    markdown.includes(`<code>${address}</code>`)
  const left = named.filter((address) => !isNamed(address))
  expect({ markdown, left }).toEqual({ markdown, left: [] })
  expect(markdown).toContain(`${told.inSync.length} in sync · exit code ${told.exitCode}`)
  const counts = countsIn(markdown.replaceAll(/\| \*\*(\d+ [^*]+)\*\*/g, '\n$1\n'), NOUNS)
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0)
  const { late = 0, 'to be settled by apply': open = 0, unmanaged = 0 } = counts
  const outside = all - late - open - unmanaged
  expect({ late, open, unmanaged }).toEqual({
    late: told.late.length,
    open: told.open.length,
    unmanaged: told.news,
  })
  // Fields whose acceptance has ended are counted apart, so their thing may be counted twice.
  expect({ markdown, isAll: outside >= told.drifted.length }).toEqual({ markdown, isAll: true })
  if (counts['no longer accepted'] === undefined) expect(outside).toBe(told.drifted.length)
}
