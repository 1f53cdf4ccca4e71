/** What a row measured. */
export interface Found {
  readonly value: number
  /** The measured values that it was computed from. */
  readonly from: Readonly<Record<string, number>>
}

/** One line of the table. */
export interface Row {
  /** The name for `--row`. */
  readonly name: string
  /** Says what is divided by what. */
  readonly says: string
  /** The value should not exceed it. */
  readonly target: number
  /** @throws NotHere if something is missing that it needs */
  readonly measure: (bench: Bench) => Promise<Found>
}

/** The machine lacks what a row needs; the table shows the message. */
export class NotHere extends Error {}

/** A point of the plot: what a plan of one size took. */
export interface Point {
  readonly size: number
  readonly cpuMs: number
  /** Undefined if it was not measured. */
  readonly peakKb: number | undefined
}

/** What all rows of one run share. */
export interface Bench {
  /** How often each way is measured. */
  readonly runs: number
  /** A folder that is removed after the run. */
  readonly folder: string
  /** The environment of everything that is measured. */
  readonly env: Readonly<Record<string, string>>
  /** Makes or measures something once that several rows use. */
  readonly once: <T>(key: string, make: () => Promise<T>) => Promise<T>
  /** Calls this after the run. */
  readonly atEnd: (end: () => Promise<void> | void) => void
}
