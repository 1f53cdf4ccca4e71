import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Event } from '../model/event.ts'
import type { Page, Slice } from './store.ts'

/** Filters events; the newest come first. */
export interface EventFilter {
  readonly orgId?: string
  readonly projectId?: string
  /** Excludes the events of projects (open.projectEventsInOrganizationList). */
  readonly withoutProjects?: boolean
  readonly types?: readonly string[] | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Excludes events that are not visible yet (open.eventDelay). */
  readonly visibleAt?: number
  readonly id?: string
}

export type EventStore = ReturnType<typeof createEventStore>

export const createEventStore = (database: DatabaseSync) => {
  const add = database.prepare(
    `INSERT OR IGNORE INTO event (id, org_id, project_id, type, created, visible_at, body)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  // There are few filters, and each has one text.
  const prepared = new Map<string, StatementSync>()
  const statement = (text: string): StatementSync => {
    const known = prepared.get(text) ?? database.prepare(text)
    prepared.set(text, known)
    return known
  }
  return {
    /** Adds an event; an existing id means the same event. */
    add(event: Event, visibleAt: number): void {
      const created = Date.parse(event.created)
      const { id, orgId = null, groupId = null, eventTypeName } = event
      add.run(id, orgId, groupId, eventTypeName, created, Math.ceil(visibleAt), JSON.stringify(event))
    },
    page(filter: EventFilter, slice: Slice): Page<Event> {
      const { where, values } = condition(filter)
      const total = statement(`SELECT count(*) AS n FROM event WHERE ${where}`).get(...values)?.['n']
      const rows = statement(
        `SELECT body FROM event WHERE ${where} ORDER BY created DESC, seq DESC LIMIT ? OFFSET ?`,
      ).all(...values, slice.limit, slice.offset)
      return { items: rows.map((row) => JSON.parse(String(row['body'])) as Event), total: Number(total) }
    },
  }
}

const condition = (filter: EventFilter): { where: string; values: SQLInputValue[] } => {
  const parts: string[] = ['1']
  const values: SQLInputValue[] = []
  const and = (part: string, value: SQLInputValue | undefined) => {
    if (value === undefined) return
    parts.push(part)
    values.push(value)
  }
  and('org_id = ?', filter.orgId)
  and('project_id = ?', filter.projectId)
  and('id = ?', filter.id)
  and('created >= ?', filter.from)
  and('created <= ?', filter.to)
  and('visible_at <= ?', filter.visibleAt)
  and('type IN (SELECT value FROM json_each(?))', filter.types && JSON.stringify(filter.types))
  if (filter.withoutProjects) parts.push('project_id IS NULL')
  return { where: parts.join(' AND '), values }
}
