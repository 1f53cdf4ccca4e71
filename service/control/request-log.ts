import type { Clock } from '../clock.ts'
import { formatTimestamp } from '../time.ts'

/** One request as `GET /_control/requests` shows it; status 0 is a connection that was reset without an answer. */
export interface LogEntry {
  readonly method: string
  /** Relative to the base URL, with its query. */
  readonly path: string
  status: number | null
  key: string | null
  readonly at: string
}

/** How many entries are kept; the counts go on. */
const entriesKept = 100_000

export type RequestLog = ReturnType<typeof createRequestLog>

/** A log that can be read through the control interface; without that, nothing is kept. */
export const createRequestLog = (clock: Clock, isKept: boolean) => {
  let entries: LogEntry[] = []
  const counts = new Map<string, number>()
  return {
    /** Notes a request on its arrival; the entry is completed before the answer leaves. */
    begin(method: string, path: string): LogEntry {
      const entry: LogEntry = { method, path, status: null, key: null, at: formatTimestamp(clock.now()) }
      if (!isKept) return entry
      if (entries.length >= entriesKept) entries = entries.slice(entriesKept / 2)
      entries.push(entry)
      return entry
    },
    /** Counts a request under its endpoint, or a challenge. */
    count(name: string): void {
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
    snapshot: () => ({ log: entries, counts: Object.fromEntries(counts) }),
    clear(): void {
      entries = []
      counts.clear()
    },
  }
}
