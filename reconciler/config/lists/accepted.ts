import { endOf } from '@deploymgmt/provider/core'
import { resolve } from 'node:path'
import type { Environment } from '@deploymgmt/provider/api'
import { AcceptedError } from '../../errors/accepted-error.ts'
import type { Accepted } from './accepted-drift.ts'
import { readFile } from '../files/files.ts'
import { pairOf, positionOf, type ListNode, type MapNode, type Node } from '../tree/node.ts'
import type { Report } from '../tree/report.ts'
import type { Source } from '../tree/source.ts'
import { listFileOf, refuseSecond, refuseUnknown } from './list-file.ts'

/** A file of accepted drift that was read, with the positions of its items. */
export interface AcceptedFile {
  readonly source: Source
  readonly items: readonly { readonly entry: Accepted; readonly node: MapNode }[]
  /** What the file says under `accepted`. */
  readonly list: Node | undefined
}

const TOP = { what: 'a file of accepted drift', known: ['version', 'accepted'] }
const ITEM = {
  what: 'an accepted drift',
  known: ['address', 'manifest', 'field', 'value', 'values', 'events', 'is', 'reason', 'until'],
}

/**
 * Reads a file of accepted drift.
 * @throws AcceptedError with all mistakes; ManifestNotFoundError if it cannot be opened
 */
export const loadAccepted = async (
  file: string,
  from: { readonly cwd: string; readonly env: Environment },
): Promise<AcceptedFile> => {
  const wanted = {
    what: 'file of accepted drift',
    form: 'a mapping with version: 1 and a list of what is accepted',
    is: 'map',
  } as const
  const { source, root, report } = await listFileOf(
    await readFile(file, resolve(from.cwd, file)),
    wanted,
    from,
  )
  const list = root === undefined ? undefined : listIn(root, report)
  const items = (list?.items ?? []).flatMap((node, index) => {
    const entry = entryIn(node, index, report)
    return entry === undefined || node.is !== 'map' ? [] : [{ entry, node }]
  })
  const entries = items.map(({ entry, node }) => ({
    key: acceptedKey(entry),
    node: pairOf(node, 'address')?.value ?? node,
    path: ['accepted', 'address'],
  }))
  refuseSecond(entries, 'this is accepted twice; keep one of the two', report)
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

const isFilled = (text: string): boolean => /\S/u.test(text)

/** The keys of an item whose values are texts: what each has to be. */
const TEXTS = {
  address: { what: 'an address: SECTION.NAME', fits: (text: string) => /^[A-Za-z]\w*\.\S/u.test(text) },
  manifest: { what: 'the name of a manifest', fits: isFilled },
  field: { what: 'the name of a field', fits: isFilled },
  is: {
    what: 'the code of a reason, such as gone-at-service',
    fits: (text: string) => /^[a-z][a-z-]*$/u.test(text),
  },
  reason: { what: 'a text that says why; quote it where it is a number', fits: isFilled },
  until: {
    what: 'a day, such as 2026-12-31, or an instant, such as 2026-12-31T18:00:00Z',
    fits: (text: string) => endOf(text) !== undefined,
  },
}

type Texts = { readonly [K in keyof typeof TEXTS]?: string }

type Refuse = (at: Node, message: string, key?: string) => undefined

const entryIn = (node: Node, index: number, report: Report): Accepted | undefined => {
  const path = ['accepted', index]
  const refuse: Refuse = (at, message, key) => {
    report.add(at, { path: key === undefined ? path : [...path, key], message })
  }
  if (node.is !== 'map') return refuse(node, 'each item is a mapping with an address and a reason')
  refuseUnknown(node, path, ITEM, report)
  const texts = textsIn(node, refuse)
  const { address, reason } = texts
  for (const key of ['address', 'reason'])
    if (!node.pairs.has(key) && !report.wasMeant(path, key)) refuse(node, `the ${key} is missing`)
  // What was accepted cannot be judged if it is not known of what.
  const isWrong = (key: keyof Texts): boolean => node.pairs.has(key) && texts[key] === undefined
  if (isWrong('field') || isWrong('is') || isWrong('manifest')) return undefined
  const what = whatIn(node, texts, refuse)
  if (what === undefined || address === undefined || reason === undefined) return undefined
  return { ...texts, address, reason, ...what, at: positionOf(node) }
}

const textsIn = (node: MapNode, refuse: Refuse): Texts =>
  Object.fromEntries(
    Object.entries(TEXTS).flatMap(([key, { what, fits }]) => {
      const value = pairOf(node, key)?.value
      if (value === undefined) return []
      if (value.is === 'scalar' && typeof value.value === 'string' && fits(value.text))
        return [[key, value.text]]
      refuse(value, `this has to be ${what}`, key)
      return []
    }),
  )

/** The live values when it was accepted. */
const whatIn = (
  node: MapNode,
  { field, is }: Texts,
  refuse: Refuse,
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
