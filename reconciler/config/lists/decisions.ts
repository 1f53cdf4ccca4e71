import { resolve } from 'node:path'
import type { Environment } from '@deploymgmt/provider/api'
import { asSpelled } from '@deploymgmt/provider/core/check'
import { DecisionsError } from '../../errors/decisions-error.ts'
import { ManifestNotFoundError } from '../../errors/manifest-not-found-error.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { readFile, type ReadFile } from '../files/files.ts'
import { pairOf, type Node } from '../tree/node.ts'
import type { Report } from '../tree/report.ts'
import { listFileOf, refuseSecond, refuseUnknown, type Once } from './list-file.ts'

/** A person's decision about the requests for an address. */
export type Decision = { readonly address: string } & Outcome

/** What became of requests, as a person says. */
export type Outcome =
  | { readonly is: 'created'; readonly id: string }
  /** It was not created, or was a change. */
  | { readonly is: 'notCreated' }
  /** It was a change, which is given up, whatever became of it. */
  | { readonly is: 'again' }

/** A list of decisions, right or wrong, with a way to report mistakes in one of them. */
export interface Decided {
  readonly decisions: readonly Decision[]
  /** Reports a mistake in a decision. */
  readonly refuse: (decision: Decision, key: 'address' | Outcome['is'], message: string) => void
  /** @throws DecisionsError with everything reported */
  readonly check: () => void
}

const FORM =
  'a list of items as - { address: SECTION.NAME, created: ID }, with notCreated: true or again: true'
const DECIDES = ['created', 'notCreated', 'again']
const ITEM = { what: 'a decision', known: ['address', ...DECIDES] }

/**
 * Reads a list of decisions, YAML or JSON.
 * @throws UsageError if it cannot be read; `check` reports mistakes in it
 */
export const loadDecisions = async (
  file: string,
  from: { readonly cwd: string; readonly env: Environment },
): Promise<Decided> => {
  const wanted = { what: 'list of decisions', form: FORM, is: 'list' } as const
  const { root, report } = await listFileOf(await readDecisions(file, from.cwd), wanted, from)
  const check = (): void => {
    if (report.errors > 0) throw new DecisionsError(report.findings())
  }
  if (root === undefined) check()
  const items: Items = new Map(
    (root?.items ?? []).flatMap((node, index) =>
      decisionIn(node, index, report).map((each) => [each, { node, index }]),
    ),
  )
  refuseSecond(
    given(items, 'address', ({ address }) => address),
    'this address is given twice',
    report,
  )
  refuseSecond(given(items, 'created', idIn), 'this id is given twice', report)
  const refuse: Decided['refuse'] = (decision, key, message) => {
    const item = items.get(decision)
    const at = pairOf(item?.node, key)?.value
    // A missing decision was reported already.
    if (item !== undefined && at !== undefined) report.add(at, { path: [item.index, key], message })
  }
  return { decisions: [...items.keys()], refuse, check }
}

type Items = ReadonlyMap<Decision, { readonly node: Node; readonly index: number }>

/** The id that a decision gives, in the service's spelling. */
export const idIn = (decision: Decision): string | undefined =>
  decision.is === 'created' ? asSpelled(decision.id) : undefined

/** The list is no manifest, so hints about manifests are removed. */
const readDecisions = (file: string, cwd: string): Promise<ReadFile> =>
  readFile(file, resolve(cwd, file)).catch((error: unknown) => {
    if (!(error instanceof ManifestNotFoundError)) throw error
    throw new UsageError(error.message, { hint: 'Name a list of decisions with --from.', cause: error })
  })

const decisionIn = (item: Node, index: number, report: Report): Decision[] => {
  if (item.is !== 'map') {
    report.add(item, { path: [index], message: `each item has an address and a decision: ${FORM}` })
    return []
  }
  const path = [index]
  refuseUnknown(item, path, ITEM, report)
  const address = textAt(item, 'address')
  const decided = DECIDES.flatMap((key) => {
    const node = pairOf(item, key)?.value
    return node === undefined ? [] : [{ key, node }]
  })
  if (address === undefined && !report.wasMeant(path, 'address'))
    report.add(item, { path, message: 'the address is missing' })
  if (decided.length !== 1 && !DECIDES.some((key) => report.wasMeant(path, key)))
    report.add(item, { path, message: 'give one of created: ID, notCreated: true and again: true' })
  for (const { key, node } of decided)
    if (key !== 'created' && (node.is !== 'scalar' || node.value !== true))
      report.add(node, { path: [...path, key], message: 'this can only be true', allowed: ['true'] })
  const created = pairOf(item, 'created')?.value
  const id = textAt(item, 'created')
  if (created !== undefined && id === undefined)
    report.add(created, { path: [...path, 'created'], message: 'this has to be the id of what was made' })
  if (address === undefined) return []
  if (id !== undefined) return [{ address, is: 'created', id }]
  return [{ address, is: pairOf(item, 'again') === undefined ? 'notCreated' : 'again' }]
}

/** An id of digits alone is taken from its source text. */
const textAt = (item: Node, key: string): string | undefined => {
  const node = pairOf(item, key)?.value
  return node?.is === 'scalar' && node.value !== null && node.text !== '' ? node.text : undefined
}

/** The decisions that have a value, with where it is. */
const given = (
  items: Items,
  key: 'address' | 'created',
  valueIn: (decision: Decision) => string | undefined,
): Once[] =>
  [...items].flatMap(([decision, { node: item, index }]) => {
    const value = valueIn(decision)
    const node = pairOf(item, key)?.value
    return value === undefined || node === undefined ? [] : [{ key: value, node, path: [index, key] }]
  })
