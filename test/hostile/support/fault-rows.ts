/** How an apply ends after a single fault in one of its requests; docs/failure-model.md has the same rows. */
type Became =
  | 'as without it'
  | 'sent again'
  | 'exit 3, settled by the next apply'
  | 'exit 3, until a person says'
  | 'exit 1, done by the next apply'

/** What a request does; faults of paging are for lists of several pages. */
export type Does = 'read' | 'list' | 'change' | 'deletion' | 'window' | 'user'

export interface Row {
  readonly fault: { readonly fault: string; readonly status?: number; readonly [more: string]: unknown }
  readonly becomes: Readonly<Record<Does, Became>>
}

const WITHOUT = 'as without it'
const SETTLED = 'exit 3, settled by the next apply'

const row = (fault: Row['fault'], read: Became, write: Became, more: Partial<Row['becomes']> = {}): Row => ({
  fault,
  becomes: { read, list: read, change: write, deletion: write, window: write, user: write, ...more },
})
/** Nothing shows that a user was not created. */
const LOST = { user: 'exit 3, until a person says' } as const
/** The answer to a deletion has no body to corrupt. */
const SPOILT = { deletion: WITHOUT } as const

export const rows: readonly Row[] = [
  row({ fault: 'latency', ms: 20 }, WITHOUT, WITHOUT),
  row({ fault: 'status', status: 503 }, 'sent again', SETTLED, LOST),
  row({ fault: 'status', status: 429, retryAfter: 0 }, 'sent again', 'sent again'),
  row({ fault: 'reset-before' }, 'sent again', SETTLED, LOST),
  row({ fault: 'reset-after' }, 'sent again', SETTLED),
  row({ fault: 'truncate' }, 'sent again', SETTLED, SPOILT),
  row({ fault: 'malformed' }, 'sent again', SETTLED, SPOILT),
  row({ fault: 'wrong-type' }, 'exit 1, done by the next apply', SETTLED, SPOILT),
  row({ fault: 'duplicate-keys' }, 'sent again', SETTLED, SPOILT),
  row({ fault: 'huge', bytes: 33_600_000 }, 'exit 1, done by the next apply', SETTLED, SPOILT),
  row({ fault: 'stale-nonce' }, WITHOUT, WITHOUT),
  row({ fault: 'shift-pages' }, WITHOUT, WITHOUT, { list: 'sent again' }),
  row({ fault: 'late-events', ms: 60_000 }, WITHOUT, WITHOUT),
  row({ fault: 'lose-events' }, WITHOUT, WITHOUT),
]

/** The name of a row on the page and in test names. */
export const nameOf = ({ fault: { fault, status } }: Row): string =>
  status === undefined ? fault : `${fault} ${status}`

export const COLUMNS: Readonly<Record<Does, string>> = {
  read: 'A read',
  list: 'A list of several pages',
  change: 'A PATCH',
  deletion: 'A DELETE',
  window: 'The creation of a window',
  user: 'The creation of a user',
}
/** The start of the row in the page's table; the test's name follows. */
export const lineOf = (one: Row): string => {
  const cells = Object.keys(COLUMNS).map((does) => one.becomes[does as Does])
  return `| ${[`\`${nameOf(one)}\``, ...cells].join(' | ')} |`
}
