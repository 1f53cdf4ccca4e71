import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Kind, Records } from './records.ts'

/** The requested part of a list; `lookup` limits it to items with that lookup value. */
export interface Slice {
  readonly offset: number
  readonly limit: number
  readonly lookup?: string | undefined
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
}

export type Store = ReturnType<typeof createStore>

/** The data of the service. All calls are synchronous; all writes of a request are one transaction. */
export const createStore = (database: DatabaseSync) => ({ ...reader(database), ...writer(database) })

/** A second key by which an item is found, or a list filtered. Usernames are compared case-insensitively. */
const lookups: { readonly [K in Kind]?: (item: Records[K]) => string } = {
  apiKey: ({ publicKey }) => publicKey,
  personalKey: ({ publicKey }) => publicKey,
  user: ({ username }) => username.toLowerCase(),
  alert: ({ status }) => status,
  agent: ({ typeName }) => typeName,
}

type Row = Record<string, unknown>

/** A value that was stored under a kind has that kind's type. */
const parse = <K extends Kind>(_kind: K, row: Row): Records[K] =>
  JSON.parse(String(row['body'])) as Records[K]

const first = <K extends Kind>(kind: K, row: Row | undefined): Records[K] | undefined =>
  row && parse(kind, row)

const reader = (database: DatabaseSync) => {
  const get = database.prepare('SELECT body FROM item WHERE kind = ? AND parent = ? AND id = ?')
  const find = database.prepare('SELECT body FROM item WHERE kind = ? AND lookup = ? ORDER BY seq LIMIT 1')
  const list = database.prepare('SELECT body FROM item WHERE kind = ? AND parent = ? ORDER BY seq')
  const listAll = database.prepare('SELECT parent, body FROM item WHERE kind = ? ORDER BY seq')
  const getMeta = database.prepare('SELECT value FROM meta WHERE name = ?')
  const pagesOf = (where: string) => ({
    count: database.prepare(`SELECT count(*) AS n FROM item WHERE ${where}`),
    rowsOf: database.prepare(`SELECT body FROM item WHERE ${where} ORDER BY seq LIMIT ? OFFSET ?`),
  })
  const pages = pagesOf('kind = ? AND parent = ?')
  const narrowed = pagesOf('kind = ? AND parent = ? AND lookup = ?')

  return {
    get: <K extends Kind>(kind: K, parent: string, id: string) => first(kind, get.get(kind, parent, id)),
    find: <K extends Kind>(kind: K, lookup: string) => first(kind, find.get(kind, lookup)),
    list: <K extends Kind>(kind: K, parent: string) => list.all(kind, parent).map((row) => parse(kind, row)),
    listAll: <K extends Kind>(kind: K) =>
      listAll.all(kind).map((row) => ({
        parent: String(row['parent']),
        item: parse(kind, row),
      })),
    page: <K extends Kind>(kind: K, parent: string, slice: Slice): Page<Records[K]> => {
      const values: SQLInputValue[] = [kind, parent, ...(slice.lookup === undefined ? [] : [slice.lookup])]
      const { count, rowsOf } = slice.lookup === undefined ? pages : narrowed
      const total = count.get(...values)?.['n']
      const rows = rowsOf.all(...values, slice.limit, slice.offset)
      return { items: rows.map((row) => parse(kind, row)), total: Number(total) }
    },
    getMeta: (name: string) => getMeta.get(name)?.['value'] as string | undefined,
  }
}

const writer = (database: DatabaseSync) => {
  const put = database.prepare(
    `INSERT INTO item (kind, parent, id, lookup, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (kind, parent, id) DO UPDATE SET lookup = excluded.lookup, body = excluded.body`,
  )
  const remove = database.prepare('DELETE FROM item WHERE kind = ? AND parent = ? AND id = ?')
  const clear = database.prepare('DELETE FROM item WHERE kind = ? AND parent = ?')
  const setMeta = database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)')
  let depth = 0

  return {
    /** Adds or replaces; a replaced item keeps its place in lists. */
    put: <K extends Kind>(kind: K, parent: string, id: string, item: Records[K]) => {
      put.run(kind, parent, id, lookups[kind]?.(item) ?? null, JSON.stringify(item))
    },
    remove: (kind: Kind, parent: string, id: string) => remove.run(kind, parent, id).changes > 0,
    clear: (kind: Kind, parent: string) => {
      clear.run(kind, parent)
    },
    setMeta: (name: string, value: string) => {
      setMeta.run(name, value)
    },
    /** Runs as one transaction: all of its writes are durable when it returns, and none if it throws. */
    transaction: <T>(work: () => T): T => {
      // A nested transaction is part of the outer one.
      if (depth > 0) return work()
      database.exec('BEGIN IMMEDIATE')
      depth += 1
      try {
        const result = work()
        database.exec('COMMIT')
        return result
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      } finally {
        depth -= 1
      }
    },
  }
}
