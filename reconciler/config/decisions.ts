import { resolve } from 'node:path'
import type { Environment } from '@deploymgmt/provider/api'
import { DecisionsError } from '../errors/decisions-error.ts'
import { readFile } from './files.ts'
import { ownKey, ownSourceOf } from './load.ts'
import { pairOf, type ListNode, type Node } from './node.ts'
import { parse } from './parse.ts'
import { Report } from './report.ts'

/** What a person says became of the requests about an address: the id of what was made, or that nothing was. */
export interface Decision {
  readonly address: string
  /** None: it was not created. */
  readonly created: string | undefined
}

/** A list of decisions as it was read, and a way to say what is wrong with one of them. */
export interface Decided {
  readonly decisions: readonly Decision[]
  /** Reports something at a decision, by its index. */
  readonly refuse: (index: number, key: 'address' | 'created', message: string) => void
  /** @throws DecisionsError with all that was reported. */
  readonly check: () => void
}

const FORM = 'a list of items as - { address: SECTION.NAME, created: ID } or notCreated: true'
const KEYS = ['address', 'created', 'notCreated']

/**
 * Reads a list of decisions, YAML or JSON.
 * @throws DecisionsError, ManifestNotFoundError
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
  const source = await ownSourceOf(
    await readFile(file, resolve(cwd, file)),
    { cwd, key: own, wanted },
    report,
  )
  const root = source && parse(source, report, wanted.form)
  if (root !== undefined && root.is !== 'list')
    report.add(root, { path: [], message: `this has to be ${FORM}` })
  const list = root?.is === 'list' ? root : undefined
  const decisions = (list?.items ?? []).flatMap((item, index) => decisionIn(item, index, report))
  if (list !== undefined) refuseTwice(list, decisions, report)
  check()
  const refuse: Decided['refuse'] = (index, key, message) => {
    const item = list?.items[index]
    const at = pairOf(item, key)?.value ?? item
    if (at !== undefined) report.add(at, { path: [index, key], message })
  }
  return { decisions, refuse, check }
}

const decisionIn = (item: Node, index: number, report: Report): Decision[] => {
  if (item.is !== 'map') {
    report.add(item, { path: [index], message: `each item has an address and a decision: ${FORM}` })
    return []
  }
  for (const { key } of item.pairs.values())
    if (!KEYS.includes(key.text))
      report.add(key, {
        path: [index, key.text],
        message: `a decision has no ${key.text}`,
        suggestion: report.nearest(key.text, KEYS),
        allowed: KEYS,
      })
  const address = textAt(item, 'address')
  const [created, notCreated] = [pairOf(item, 'created')?.value, pairOf(item, 'notCreated')?.value]
  if (address === undefined) report.add(item, { path: [index], message: 'the address is missing' })
  if ((created === undefined) === (notCreated === undefined))
    report.add(item, { path: [index], message: 'give either created: ID or notCreated: true' })
  if (notCreated !== undefined && (notCreated.is !== 'scalar' || notCreated.value !== true))
    report.add(notCreated, {
      path: [index, 'notCreated'],
      message: 'this can be true alone',
      allowed: ['true'],
    })
  const id = textAt(item, 'created')
  if (created !== undefined && id === undefined)
    report.add(created, { path: [index, 'created'], message: 'this has to be the id of what was made' })
  return address === undefined ? [] : [{ address, created: id }]
}

/** An id of digits alone is taken from its source text. */
const textAt = (item: Node, key: string): string | undefined => {
  const node = pairOf(item, key)?.value
  return node?.is === 'scalar' && node.value !== null && node.text !== '' ? node.text : undefined
}

const refuseTwice = ({ items }: ListNode, decisions: readonly Decision[], report: Report): void => {
  if (decisions.length !== items.length) return
  for (const key of ['address', 'created'] as const) {
    const first = new Map<string, Node>()
    for (const [index, decision] of decisions.entries()) {
      const value = decision[key]?.toLowerCase()
      const node = pairOf(items[index], key)?.value
      if (value === undefined || node === undefined) continue
      const also = first.get(value)
      if (also === undefined) first.set(value, node)
      else
        report.add(node, {
          path: [index, key],
          message: `this ${key === 'address' ? 'address' : 'id'} stands twice`,
          also,
        })
    }
  }
}
