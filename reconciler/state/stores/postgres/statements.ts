import type { Statement } from './connection.ts'

/** One write of a state. What is undefined stays as it is; null means that there is none any more. */
export interface Change {
  readonly owner?: string | null
  /** ISO 8601. */
  readonly unlockedAt?: string | null
  readonly landedAt?: string | null
  readonly state?: string | null
  /** Of the journal. */
  readonly header?: string | null
  readonly journal?: JournalChange
}

export interface JournalChange {
  /** What stands behind this position goes: records of before, or of a write that was given up and has arrived. */
  readonly after: number
  /** The position of the first that is added; none is given twice, not even one of a write that was given up. */
  readonly from: number
  readonly added: readonly string[]
  /** How many there are then; by it a missing one is noticed. */
  readonly count: number
}

/** By what a write knows that nobody else has written. */
export interface Seen {
  /** Names the last write. */
  readonly writeId: string
  /** The one that it was done in: it is another one also where somebody has written by hand. */
  readonly transaction: string
}

/** Of a write that is done whatever was written since, as long as this owner has the lock. */
export interface HeldBy {
  /** As it is in the row. */
  readonly owner: string
}

/** Who holds the lock of a state, and since which write. */
export interface Row extends Seen {
  readonly owner: string | null
  /** ISO 8601. */
  readonly unlockedAt: string | null
  readonly landedAt: string | null
}

/** All that is there of a state. */
export interface WholeRow extends Row {
  readonly state: string | null
  readonly header: string | null
  readonly count: string
  /** Positions and records, in order. */
  readonly journal: readonly (readonly [number, string])[] | null
}

/** A server that follows another one shows what was. */
export interface OfServer {
  readonly isStandby: boolean
}

/** What the server says of itself and of the tables. */
export interface OfDatabase extends OfServer {
  readonly encoding: string
  readonly hasSchema: boolean
  readonly hasTables: boolean
}

/** The form of a time would be that of the DateStyle of the role. */
const instantIn = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const COLUMNS = `write_id AS "writeId", xmin::text AS "transaction", owner,
  ${instantIn('unlocked_at')} AS "unlockedAt", ${instantIn('landed_at')} AS "landedAt"`

/** What is asked of the tables of a schema; each is one transaction. @param name letters, digits and _ alone */
export const statementsFor = (name: string) => {
  const schema = `"${name}"`
  return {
    database: (): Statement => ({
      text: `SELECT pg_is_in_recovery() AS "isStandby", current_setting('server_encoding') AS encoding,
  to_regnamespace($1) IS NOT NULL AS "hasSchema",
  to_regclass($1 || '.states') IS NOT NULL AND to_regclass($1 || '.journal') IS NOT NULL AS "hasTables"`,
      values: [schema],
    }),

    /** @param hasSchema a role that may not make one may still be let make tables in it */
    makeTables: (hasSchema: boolean): Statement => ({
      text: `${hasSchema ? '' : `CREATE SCHEMA ${schema};`}
CREATE TABLE IF NOT EXISTS ${schema}.states (
  name text PRIMARY KEY,
  write_id text NOT NULL,
  owner text,
  unlocked_at timestamptz,
  landed_at timestamptz,
  state text,
  header text,
  record_count bigint NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS ${schema}.journal (
  name text NOT NULL REFERENCES ${schema}.states ON DELETE CASCADE,
  position bigint NOT NULL,
  record text NOT NULL,
  PRIMARY KEY (name, position)
)`,
    }),

    /** A row without an owner and without a state, if there is none. */
    begin: (state: string, writeId: string): Statement => ({
      text: `INSERT INTO ${schema}.states (name, write_id) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`,
      values: [state, writeId],
    }),

    row: (state: string): Statement =>
      ofServer(`SELECT ${COLUMNS} FROM ${schema}.states WHERE name = $1`, state),

    wholeRow: (state: string): Statement =>
      ofServer(
        `SELECT ${COLUMNS}, state, header, record_count AS count,
  (SELECT json_agg(json_build_array(position, record) ORDER BY position)
    FROM ${schema}.journal WHERE journal.name = states.name) AS journal
  FROM ${schema}.states WHERE name = $1`,
        state,
      ),

    /** Answers one row, or none where somebody else has written, and nothing is changed. */
    write: (state: string, upon: Seen | HeldBy, writeId: string, change: Change): Statement => {
      const values: unknown[] = [state, writeId]
      const given = (value: unknown): string => `$${values.push(value)}`
      const isThere =
        'writeId' in upon
          ? `write_id = ${given(upon.writeId)} AND xmin::text = ${given(upon.transaction)}`
          : `owner = ${given(upon.owner)}`
      const sets = (Object.entries(columnsOf(change)) as [string, unknown][])
        .filter(([, value]) => value !== undefined)
        .map(([column, value]) => `${column} = ${given(value)}`)
      const { journal } = change
      return {
        text: `WITH written AS (
  UPDATE ${schema}.states SET ${['write_id = $2', ...sets].join(', ')}
    WHERE name = $1 AND ${isThere}
    RETURNING name, xmin::text AS "transaction"
)${journal === undefined ? '' : journalChange(schema, journal, given)}
SELECT "transaction", set_config('synchronous_commit', 'on', true) FROM written`,
        values,
      }
    },
  }
}

export type Statements = ReturnType<typeof statementsFor>

const columnsOf = ({ owner, unlockedAt, landedAt, state, header, journal }: Change) => ({
  owner,
  unlocked_at: unlockedAt,
  landed_at: landedAt,
  state,
  header,
  record_count: journal?.count,
})

/** Positions that go and positions that come are never the same: within a statement neither is before the other. */
const journalChange = (
  schema: string,
  { after, from, added }: JournalChange,
  given: (value: unknown) => string,
): string => `, dropped AS (
  DELETE FROM ${schema}.journal WHERE name IN (SELECT name FROM written) AND position > ${given(after)}
), added AS (
  INSERT INTO ${schema}.journal (name, position, record)
    SELECT written.name, ${given(from)}::bigint + place - 1, record
    FROM written, unnest(${given(added)}::text[]) WITH ORDINALITY AS each(record, place)
)`

/** The answer tells of the server also if there is no row. */
const ofServer = (select: string, state: string): Statement => ({
  text: `SELECT pg_is_in_recovery() AS "isStandby", found.* FROM (SELECT) AS server LEFT JOIN (${select}) AS found ON true`,
  values: [state],
})
