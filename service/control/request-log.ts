import type { Clock } from '../clock.ts'
import { formatTimestamp } from '../time.ts'

/**
 * One request in the format of `GET /_control/requests`; status 0 is a connection that was reset without an answer.
 */
export interface LogEntry {
  readonly method: string
  /** Relative to the base URL, with its query. */
  readonly path: string
  status: number | null
  key: string | null
  readonly at: string
}

/** The number of entries that are kept; counts continue. */
const entriesKept = 100_000

export type RequestLog = ReturnType<typeof createRequestLog>

/** A log for the control interface; without that, nothing is kept. */
export const createRequestLog = (clock: Clock, isKept: boolean) => {
  let entries: LogEntry[] = []
  const counts = new Map<string, number>()
  return {
    /** Records a request on arrival; the entry is completed before the answer leaves. */
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
