import { expect } from 'vitest'
import { besides, countsIn, facesIn, isFolded, isNamedIn, marksOf, rowsOf, type Faces } from './faces.ts'
import { count } from '../tally.ts'
import type { World } from '../world.ts'

/** The words after the number of each action. Adoptions and releases that send something have words of their own. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  create: ['to create'],
  adopt: ['to adopt', 'to adopt and change'],
  update: ['to change'],
  moved: ['to rename'],
  delete: ['to delete'],
  release: ['to leave unmanaged', 'to end', 'to restore', 'to revoke'],
  blocked: ['blocked'],
  expired: ['expired'],
  unverifiable: ['not verifiable'],
  unchanged: ['in sync'],
}
/** What the first line of a comment counts. */
const TO_DO = ['create', 'adopt', 'update', 'moved', 'delete', 'release', 'blocked']

type Counts = Readonly<Record<string, number>>

/** Every format of a plan says what its document says: the same addresses, actions and numbers. */
export const checkPlanFaces = async (world: World): Promise<void> => {
  const { document, number } = await world.json(['plan', ...besides('plan')])
  expect(world.actsOf(number)).toEqual([])
  // A plan that failed has no other formats.
  if (document?.error !== undefined) return
  const faces = await facesIn(world, 'plan')
  const counts = countsOf(document)
  checkCounts(document, counts)
  checkPage(document, counts, faces)
  checkText(document, counts, faces)
  checkMarkdown(document, counts, faces)
}

const actionOf = ({ action, evidence }: any): string =>
  action === 'unchanged' && evidence.level !== 'read' ? 'unverifiable' : action

const countsOf = ({ changes, summary }: any): Counts => {
  const counts = Object.fromEntries(Object.keys(LABELS).map((name) => [name, 0]))
  for (const change of changes) counts[actionOf(change)] = (counts[actionOf(change)] ?? 0) + 1
  // Without `--all`, what is in sync is only counted.
  return { ...counts, unchanged: summary.unchanged }
}

const checkCounts = ({ summary }: any, counts: Counts): void => expect(summary).toEqual(counts)

const checkPage = ({ changes }: any, counts: Counts, { html }: Faces): void => {
  const rows = rowsOf(html).map((row) => row.replace(/(?:-\w+)?-writes$/, ''))
  expect(rows).toEqual(changes.map((each: any) => `${each.address} ${actionOf(each)}`).toSorted())
  if (changes.length > 0) expect(byAction(marksOf(html))).toEqual(counts)
}

/** Turns counts by label into counts by action. */
const byAction = (told: Counts, names: readonly string[] = Object.keys(LABELS)): Counts =>
  Object.fromEntries(
    names.map((name) => [name, (LABELS[name] ?? []).reduce((sum, label) => sum + (told[label] ?? 0), 0)]),
  )

const ALL = Object.values(LABELS).flat()

const checkText = ({ changes, lacking }: any, counts: Counts, { text }: Faces): void => {
  expect({ text, counts: byAction(countsIn(text, ALL)) }).toEqual({ text, counts })
  // What projects lack is told at once for all entries.
  if (isFolded(text) || lacking !== undefined) return count('plan as text: folded')
  const left = changes.filter(({ address }: any) => !isNamedIn(text, address))
  expect({ text, left: left.map(({ address }: any) => address) }).toEqual({ text, left: [] })
}

const checkMarkdown = ({ changes }: any, counts: Counts, { markdown }: Faces): void => {
  const [first = ''] = markdown.split('\n', 1)
  const told = byAction(countsIn(first.replace(/^### Plan: /, ''), ALL), TO_DO)
  expect({ first, counts: told }).toEqual({
    first,
    counts: Object.fromEntries(TO_DO.map((name) => [name, counts[name]])),
  })
  const isNamed = ({ address }: any): boolean =>
    markdown.includes(`\`${address}\``) || markdown.includes(`<code>${address}</code>`)
  const left = changes.filter((each: any) => !isNamed(each))
  expect({ markdown, left: left.map(({ address }: any) => address) }).toEqual({ markdown, left: [] })
}
