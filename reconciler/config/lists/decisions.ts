import { resolve } from 'node:path'
import type { Environment } from '@deploymgmt/provider/api'
import { DecisionsError } from '../../errors/decisions-error.ts'
import { ManifestNotFoundError } from '../../errors/manifest-not-found-error.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { readFile, type ReadFile } from '../files/files.ts'
import { ownKey, ownSourceOf } from '../files/load.ts'
import { pairOf, type Node } from '../tree/node.ts'
import { parse } from '../tree/parse.ts'
import { Report } from '../tree/report.ts'

/** A person's decision about the requests for an address: the id of what was created, or that nothing was. */
export interface Decision {
  readonly address: string
  /** Undefined: it was not created, or was a change. */
  readonly created: string | undefined
  /** Set to give a change up, whatever became of it. */
  readonly again?: boolean
}

/** A list of decisions, right or wrong, with a way to report mistakes in one of them. */
export interface Decided {
  readonly decisions: readonly Decision[]
  /** Reports a mistake in a decision. */
  readonly refuse: (
    decision: Decision,
    key: 'address' | 'created' | 'notCreated' | 'again',
    message: string,
  ) => void
  /** @throws DecisionsError with everything reported */
  readonly check: () => void
}

const FORM =
  'a list of items as - { address: SECTION.NAME, created: ID }, with notCreated: true or again: true'
const DECIDES = ['created', 'notCreated', 'again']
const KEYS = ['address', ...DECIDES]

/**
 * Reads a list of decisions, YAML or JSON.
 * @throws UsageError if it cannot be read; `check` reports mistakes in it
 */
export const loadDecisions = async (
  file: string,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<Decided> => {
  const own = await ownKey(env)
  const report = new Report(own.value)
  const check = (): void => {
    if (report.errors > 0) throw new DecisionsError(report.findings())
  }
  const wanted = { what: 'list of decisions', form: `it has to be ${FORM}` }
  const source = await ownSourceOf(await readDecisions(file, cwd), { cwd, key: own, wanted }, report)
  const root = source && parse(source, report, { needs: wanted.form })
  if (root !== undefined && root.is !== 'list')
    report.add(root, { path: [], message: `this has to be ${FORM}` })
  const list = root?.is === 'list' ? root.items : []
  if (root?.is !== 'list') check()
  const items = new Map(
    list.flatMap((node, index) => decisionIn(node, index, report).map((each) => [each, { node, index }])),
  )
  refuseTwice(items, report)
  const refuse: Decided['refuse'] = (decision, key, message) => {
    const item = items.get(decision)
    const at = pairOf(item?.node, key)?.value
    // A missing decision was reported already.
    if (item !== undefined && at !== undefined) report.add(at, { path: [item.index, key], message })
  }
  return { decisions: [...items.keys()], refuse, check }
}

type Items = ReadonlyMap<Decision, { readonly node: Node; readonly index: number }>

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
  // A misspelt key does not count as missing as well.
  const meant = new Set<string | undefined>()
  for (const { key } of item.pairs.values()) {
    if (KEYS.includes(key.text)) continue
    const suggestion = report.nearest(key.text, KEYS)
    meant.add(suggestion)
    report.add(key, {
      path: [index, key.text],
      message: `a decision has no ${key.text}`,
      suggestion,
      allowed: KEYS,
    })
  }
  const address = textAt(item, 'address')
  const given = DECIDES.flatMap((key) => {
    const node = pairOf(item, key)?.value
    return node === undefined ? [] : [{ key, node }]
  })
  if (address === undefined && !meant.has('address'))
    report.add(item, { path: [index], message: 'the address is missing' })
  if (given.length !== 1 && !DECIDES.some((key) => meant.has(key)))
    report.add(item, {
      path: [index],
      message: 'give one of created: ID, notCreated: true and again: true',
    })
  for (const { key, node } of given)
    if (key !== 'created' && (node.is !== 'scalar' || node.value !== true))
      report.add(node, { path: [index, key], message: 'this can only be true', allowed: ['true'] })
  const created = pairOf(item, 'created')?.value
  const id = textAt(item, 'created')
  if (created !== undefined && id === undefined)
    report.add(created, { path: [index, 'created'], message: 'this has to be the id of what was made' })
  if (address === undefined) return []
  return [{ address, created: id, ...(pairOf(item, 'again') === undefined ? {} : { again: true }) }]
}

/** An id of digits alone is taken from its source text. */
const textAt = (item: Node, key: string): string | undefined => {
  const node = pairOf(item, key)?.value
  return node?.is === 'scalar' && node.value !== null && node.text !== '' ? node.text : undefined
}

const refuseTwice = (items: Items, report: Report): void => {
  for (const key of ['address', 'created'] as const) {
    const first = new Map<string, Node>()
    for (const [decision, { node: item, index }] of items) {
      const value = decision[key]?.toLowerCase()
      const node = pairOf(item, key)?.value
      if (value === undefined || node === undefined) continue
      const also = first.get(value)
      if (also === undefined) first.set(value, node)
      else
        report.add(node, {
          path: [index, key],
          message: `this ${key === 'address' ? 'address' : 'id'} is given twice`,
          also,
        })
    }
  }
}
