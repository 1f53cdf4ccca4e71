import type { Statement } from './connection.ts'

/** One write of a state. Undefined properties stay as they are; null removes the value. */
export interface Change {
  readonly owner?: string | null
  /** ISO 8601. */
  readonly unlockedAt?: string | null
  readonly landedAt?: string | null
  readonly state?: string | null
  /** The header of the journal. */
  readonly header?: string | null
  readonly journal?: JournalChange
}

export interface JournalChange {
  /** Records after this position are removed: old ones, or those of a write that was given up and has arrived. */
  readonly after: number
  /**
   * The position of the first added record; positions are never reused, not even those of a write that was given up.
   */
  readonly from: number
  readonly added: readonly string[]
  /** The number of records after the write, by which a missing one is noticed. */
  readonly count: number
}

/** Shows a write whether anybody else has written. */
export interface RowVersion {
  /** Names the last write. */
  readonly writeId: string
  /** The transaction of the last write: it also differs after a change by hand. */
  readonly transaction: string
}

/** Condition of a write that ignores other writes, as long as this owner has the lock. */
export interface HeldBy {
  /** As it is in the row. */
  readonly owner: string
}

/** The lock owner of a state, and the write that the row is from. */
export interface Row extends RowVersion {
  readonly owner: string | null
  /** ISO 8601. */
  readonly unlockedAt: string | null
  readonly landedAt: string | null
}

/** Everything that is stored for a state. */
export interface WholeRow extends Row {
  readonly state: string | null
  readonly header: string | null
  readonly count: string
  /** Positions and records, in order. */
  readonly journal: readonly (readonly [number, string])[] | null
}

/** Whether the server is a standby, whose data can be stale. */
export interface OfServer {
  readonly isStandby: boolean
}

/** What the server reports about itself and the tables. */
export interface OfDatabase extends OfServer {
  readonly encoding: string
  readonly hasSchema: boolean
  readonly hasTables: boolean
}

/** Formats a time explicitly, because the default depends on the DateStyle of the role. */
const instantIn = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const COLUMNS = `write_id AS "writeId", xmin::text AS "transaction", owner,
  ${instantIn('unlocked_at')} AS "unlockedAt", ${instantIn('landed_at')} AS "landedAt"`

/** The statements for one state in the tables of a schema; each is one transaction. */
export class Statements {
  readonly #schema: string
  readonly #state: string

  /** @param schema only letters, digits and _ */
  constructor(schema: string, state: string) {
    this.#schema = `"${schema}"`
    this.#state = state
  }

  database(): Statement {
    return {
      text: `SELECT pg_is_in_recovery() AS "isStandby", current_setting('server_encoding') AS encoding,
  to_regnamespace($1) IS NOT NULL AS "hasSchema",
  to_regclass($1 || '.states') IS NOT NULL AND to_regclass($1 || '.journal') IS NOT NULL AS "hasTables"`,
      values: [this.#schema],
    }
  }

  /**
   * Creates the tables, and the schema only if it is missing: the role may lack that right, and still be allowed to
   * create tables.
   */
  makeTables({ hasSchema }: Pick<OfDatabase, 'hasSchema'>): Statement {
    const schema = this.#schema
    return {
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
    }
  }

  /** Creates a row without owner and state, if there is no row. */
  begin(writeId: string): Statement {
    return {
      text: `INSERT INTO ${this.#schema}.states (name, write_id) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`,
      values: [this.#state, writeId],
    }
  }

  row(): Statement {
    return ofServer(`SELECT ${COLUMNS} FROM ${this.#schema}.states WHERE name = $1`, this.#state)
  }

  wholeRow(): Statement {
    return ofServer(
      `SELECT ${COLUMNS}, state, header, record_count AS count,
  (SELECT json_agg(json_build_array(position, record) ORDER BY position)
    FROM ${this.#schema}.journal WHERE journal.name = states.name) AS journal
  FROM ${this.#schema}.states WHERE name = $1`,
      this.#state,
    )
  }

  /** Returns one row, or none if somebody else has written; then nothing is changed. */
  write(upon: RowVersion | HeldBy, writeId: string, change: Change): Statement {
    const values: unknown[] = [this.#state, writeId]
    const bind = (value: unknown): string => `$${values.push(value)}`
    const condition = conditionOf(upon, bind)
    const sets = assignmentsOf(change, bind)
    const { journal } = change
    return {
      text: `WITH written AS (
  UPDATE ${this.#schema}.states SET ${['write_id = $2', ...sets].join(', ')}
    WHERE name = $1 AND ${condition}
    RETURNING name, xmin::text AS "transaction"
)${journal === undefined ? '' : journalChange(this.#schema, journal, bind)}
SELECT "transaction", set_config('synchronous_commit', 'on', true) FROM written`,
      values,
    }
  }
}

/** Adds a value to those of a statement; returns its placeholder. */
type Bind = (value: unknown) => string

const conditionOf = (upon: RowVersion | HeldBy, bind: Bind): string =>
  'writeId' in upon
    ? `write_id = ${bind(upon.writeId)} AND xmin::text = ${bind(upon.transaction)}`
    : `owner = ${bind(upon.owner)}`

const assignmentsOf = (change: Change, bind: Bind): string[] =>
  (Object.entries(columnsOf(change)) as [string, unknown][])
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => `${column} = ${bind(value)}`)

const columnsOf = ({ owner, unlockedAt, landedAt, state, header, journal }: Change) => ({
  owner,
  unlocked_at: unlockedAt,
  landed_at: landedAt,
  state,
  header,
  record_count: journal?.count,
})

/** Removed and added positions never overlap, because the parts of one statement have no order. */
const journalChange = (
  schema: string,
  { after, from, added }: JournalChange,
  bind: Bind,
): string => `, dropped AS (
  DELETE FROM ${schema}.journal WHERE name IN (SELECT name FROM written) AND position > ${bind(after)}
), added AS (
  INSERT INTO ${schema}.journal (name, position, record)
    SELECT written.name, ${bind(from)}::bigint + place - 1, record
    FROM written, unnest(${bind(added)}::text[]) WITH ORDINALITY AS each(record, place)
)`

/** The answer contains the server's values even if there is no row. */
const ofServer = (select: string, state: string): Statement => ({
  text: `SELECT pg_is_in_recovery() AS "isStandby", found.* FROM (SELECT) AS server LEFT JOIN (${select}) AS found ON true`,
  values: [state],
})
