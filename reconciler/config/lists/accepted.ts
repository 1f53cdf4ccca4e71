import { endOf } from '@deploymgmt/provider/core'
import { resolve } from 'node:path'
import type { Environment } from '@deploymgmt/provider/api'
import { formatPosition } from '@deploymgmt/provider/engine'
import { AcceptedError } from '../../errors/accepted-error.ts'
import type { Accepted } from './accepted-drift.ts'
import { readFile } from '../files/files.ts'
import { ownKey, ownSourceOf } from '../files/load.ts'
import { pairOf, type ListNode, type MapNode, type Node } from '../tree/node.ts'
import { parse } from '../tree/parse.ts'
import { Report } from '../tree/report.ts'
import type { Source } from '../tree/source.ts'

/** A file of accepted drift that was read, with the positions of its items. */
export interface AcceptedFile {
  readonly source: Source
  readonly items: readonly { readonly entry: Accepted; readonly node: MapNode }[]
  /** What the file says under `accepted`. */
  readonly list: Node | undefined
}

const FORM = 'a mapping with version: 1 and a list of what is accepted'
const TOP = ['version', 'accepted']
const KEYS = ['address', 'manifest', 'field', 'value', 'values', 'events', 'is', 'reason', 'until']

/**
 * Reads a file of accepted drift.
 * @throws AcceptedError with all mistakes; ManifestNotFoundError if it cannot be opened
 */
export const loadAccepted = async (
  file: string,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<AcceptedFile> => {
  const key = await ownKey(env)
  const report = new Report(key.value)
  const wanted = { what: 'file of accepted drift', form: `it has to be ${FORM}` }
  const source = await ownSourceOf(await readFile(file, resolve(cwd, file)), { cwd, key, wanted }, report)
  const root = source && parse(source, report, { needs: wanted.form })
  if (root !== undefined && root.is !== 'map')
    report.add(root, { path: [], message: `this has to be ${FORM}` })
  const list = root?.is === 'map' ? listIn(root, report) : undefined
  const items = (list?.items ?? []).flatMap((node, index) => {
    const entry = entryIn(node, index, report)
    return entry === undefined || node.is !== 'map' ? [] : [{ entry, node }]
  })
  refuseTwice(items, report)
  if (source === undefined || report.errors > 0) throw new AcceptedError(report.findings())
  return { source, items, list: pairOf(root, 'accepted')?.value }
}

const listIn = (root: MapNode, report: Report): ListNode | undefined => {
  refuseUnknown(root, [], TOP, report)
  const version = pairOf(root, 'version')?.value
  if (version === undefined && !report.wasMeant([], 'version'))
    report.add({ ...root, end: root.start + 1 }, { path: [], message: 'version is missing' })
  if (version !== undefined && !(version.is === 'scalar' && version.value === 1))
    report.add(version, {
      path: ['version'],
      message: 'this version of deploymgmt reads accepted drift of version 1',
      allowed: ['1'],
    })
  const list = pairOf(root, 'accepted')?.value
  if (list === undefined || (list.is === 'scalar' && list.value === null)) return undefined
  if (list.is === 'list') return list
  report.add(list, { path: ['accepted'], message: 'this has to be a list' })
  return undefined
}

const refuseUnknown = (
  node: MapNode,
  path: readonly (string | number)[],
  known: readonly string[],
  report: Report,
): void => {
  for (const { key } of node.pairs.values()) {
    if (known.includes(key.text)) continue
    const suggestion = report.nearest(key.text, known)
    // A misspelt key does not count as missing as well.
    if (suggestion !== undefined) report.noteMeant(path, suggestion)
    const message = `${path.length === 0 ? 'a file of accepted drift' : 'an accepted drift'} has no ${key.text}`
    report.add(key, { path: [...path, key.text], message, suggestion, allowed: known })
  }
}

const entryIn = (node: Node, index: number, report: Report): Accepted | undefined => {
  const path = ['accepted', index]
  const refuse = (at: Node, message: string, key?: string): undefined => {
    report.add(at, { path: key === undefined ? path : [...path, key], message })
  }
  if (node.is !== 'map') return refuse(node, 'each item is a mapping with an address and a reason')
  refuseUnknown(node, path, KEYS, report)
  const at = (key: string): Node | undefined => pairOf(node, key)?.value
  const textAt = (key: string, what: string, form = /\S/u): string | undefined => {
    const value = at(key)
    if (value === undefined) return undefined
    if (value.is === 'scalar' && typeof value.value === 'string' && form.test(value.text)) return value.text
    return refuse(value, `this has to be ${what}`, key)
  }
  const address = textAt('address', 'an address: SECTION.NAME', /^[A-Za-z]\w*\.\S/u)
  const reason = textAt('reason', 'a text that says why; quote it where it is a number')
  const manifest = textAt('manifest', 'the name of a manifest')
  const field = textAt('field', 'the name of a field')
  const is = textAt('is', 'the code of a reason, such as gone-at-service', /^[a-z][a-z-]*$/u)
  const until = textAt('until', UNTIL)
  if (until !== undefined && endOf(until) === undefined)
    refuse(at('until') ?? node, `this has to be ${UNTIL}`, 'until')
  for (const key of ['address', 'reason'])
    if (at(key) === undefined && !report.wasMeant(path, key)) refuse(node, `the ${key} is missing`)
  const isWrong = (key: string, read: string | undefined): boolean =>
    at(key) !== undefined && read === undefined
  if (isWrong('field', field) || isWrong('is', is) || isWrong('manifest', manifest)) return undefined
  const what = whatIn(node, { field, is }, refuse)
  if (what === undefined || address === undefined || reason === undefined) return undefined
  return {
    address,
    ...(manifest === undefined ? {} : { manifest }),
    ...(field === undefined ? {} : { field }),
    ...what,
    ...(is === undefined ? {} : { is }),
    reason,
    ...(until === undefined ? {} : { until }),
    at: formatPosition(node.source.position(node.start)),
  }
}

const UNTIL = 'a day, such as 2026-12-31, or an instant, such as 2026-12-31T18:00:00Z'

/** The live values when it was accepted. */
const whatIn = (
  node: MapNode,
  { field, is }: { readonly field: string | undefined; readonly is: string | undefined },
  refuse: (at: Node, message: string, key?: string) => undefined,
): Pick<Accepted, 'values' | 'events'> | undefined => {
  const [value, values, events] = ['value', 'values', 'events'].map((key) => pairOf(node, key)?.value)
  if (value !== undefined && field === undefined)
    return refuse(value, 'a value is of a field: name it, or give values', 'value')
  if (values !== undefined && (field !== undefined || values.is !== 'map'))
    return refuse(values, 'values are a mapping by field, of an entry that names no field itself', 'values')
  const ids = events?.is === 'list' ? events.items : []
  if (events !== undefined && (ids.length === 0 || ids.some((id) => id.is !== 'scalar' || id.value === null)))
    return refuse(events, 'events are a list of ids', 'events')
  if (value === undefined && values === undefined && events === undefined && is === undefined)
    return refuse(node, 'it does not say what was accepted: value, values, events or is')
  return {
    values: {
      ...(values === undefined ? {} : (plainOf(values) as Record<string, unknown>)),
      ...(value === undefined || field === undefined ? {} : { [field]: plainOf(value) }),
    },
    events: ids.map((id) => (id.is === 'scalar' ? id.text : '')),
  }
}

const plainOf = (node: Node): unknown => {
  if (node.is === 'scalar') return node.value
  if (node.is === 'list') return node.items.map(plainOf)
  return Object.fromEntries([...node.pairs].map(([name, { value }]) => [name, plainOf(value)]))
}

const refuseTwice = (items: AcceptedFile['items'], report: Report): void => {
  const first = new Map<string, Node>()
  for (const { entry, node } of items) {
    const key = acceptedKey(entry)
    const also = first.get(key)
    if (also === undefined) first.set(key, node)
    else
      report.add(pairOf(node, 'address')?.value ?? node, {
        path: ['accepted', 'address'],
        message: 'this is accepted twice; keep one of the two',
        also,
      })
  }
}

/** The key that identifies and orders entries. */
export const acceptedKey = ({ address, field = '', manifest = '' }: Key): string =>
  `${address}\0${field}\0${manifest}`

type Key = Pick<Accepted, 'address'> & { readonly [K in 'field' | 'manifest']?: string | undefined }

/**
 * The entries that apply to a manifest of this name: not those of other manifests, and not general ones that an
 * entry of its own overrules.
 */
export const acceptedFor = (name: string, { items }: Pick<AcceptedFile, 'items'>): Accepted[] => {
  const entries = items.map(({ entry }) => entry)
  const own = entries.filter(({ manifest }) => manifest === name)
  const keys = new Set(own.map(({ address, field }) => acceptedKey({ address, field })))
  // An entry for a whole address covers each of its fields.
  const isOverruled = ({ address, field }: Accepted): boolean =>
    keys.has(acceptedKey({ address })) || keys.has(acceptedKey({ address, field }))
  return entries.filter((entry) =>
    entry.manifest === undefined ? !isOverruled(entry) : entry.manifest === name,
  )
}
