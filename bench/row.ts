/** What a row found. */
export interface Found {
  readonly value: number
  /** What it was reckoned from, as it was measured. */
  readonly from: Readonly<Record<string, number>>
}

/** One line of the table. */
export interface Row {
  /** What `--row` takes. */
  readonly name: string
  /** What is divided by what. */
  readonly says: string
  /** What the value is not to exceed. */
  readonly target: number
  /** @throws NotHere where something is missing that it needs. */
  readonly measure: (bench: Bench) => Promise<Found>
}

/** A machine lacks what a row needs; the message is the reason that the table shows. */
export class NotHere extends Error {}

/** Points of the plot: what plans of several sizes took. */
export interface Point {
  readonly size: number
  readonly cpuMs: number
  /** Undefined where nothing tells it. */
  readonly peakKb: number | undefined
}

/** What all rows of one run share. */
export interface Bench {
  /** How often each way is measured. */
  readonly runs: number
  /** A folder that is gone when the run is over. */
  readonly folder: string
  /** The environment of all that is measured. */
  readonly env: Readonly<Record<string, string>>
  /** Makes or measures once what several rows use. */
  readonly once: <T>(key: string, make: () => Promise<T>) => Promise<T>
  /** Is called when the run is over. */
  readonly atEnd: (end: () => Promise<void> | void) => void
}
