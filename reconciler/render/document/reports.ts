import type { DataSourceDefinition, Fields } from '@deploymgmt/provider/core'
import type { Listing, RecordedResource } from '@deploymgmt/provider/engine'
import type { ManifestFinding } from '../../errors/finding.ts'
import type { Style } from '../../text/style.ts'
import type { ApplyEvent } from './apply-events.ts'
import type { DriftDocument } from './drift-model.ts'
import type { PlanDocument, ReportedHindrance } from './plan-model.ts'
import type { Failure } from './failure.ts'

/** The inputs of each report: the document that `json` shows as a whole, and further facts about the run. */
export interface Reports {
  readonly plan: { readonly document: PlanDocument; readonly head: PlanHead }
  readonly drift: { readonly document: DriftDocument; readonly head: DriftHead }
  readonly apply: { readonly document: ApplyEvent }
  readonly reading: {
    readonly document: Readonly<Record<string, unknown>> | Listing
    readonly name: string
    /** What the definition says about the items. */
    readonly fields?: Fields
    /** Columns of a list as text, the most important first, if the definition has them. */
    readonly columns?: DataSourceDefinition['columns']
  }
  readonly records: { readonly document: readonly StateRow[]; readonly lines: readonly StateLine[] }
  readonly record: {
    /** The record at an address, and the other instances, present or past, of an entry of this name. */
    readonly document: Partial<RecordedResource> & {
      readonly address: string
      readonly instances?: readonly AddressedRecord[]
    }
  }
  readonly waited: { readonly document: Waited }
  readonly silences: { readonly document: Silences }
  readonly inventory: { readonly document: InventoryDocument; readonly tables: readonly InventoryTable[] }
  readonly validation: { readonly document: Validation }
  readonly done: { readonly document: Done }
  readonly ready: { readonly document: Ready; readonly data: string | undefined }
  readonly failure: { readonly document: Failure }
}
export type AddressedRecord = RecordedResource & { readonly address: string }
export type ReportName = keyof Reports

export interface ReportStyle extends Style {
  /** Folds nothing. */
  readonly all?: boolean
  /** Set for a terminal, where long output scrolls away. */
  readonly isTerminal?: boolean
  /** Set if a plan stands above: it has listed what cannot be verified, which is then only counted, and its warnings. */
  readonly shownAbove?: { readonly warnings: readonly string[] }
}

/** Renders a report; undefined if an event has no text in this format. */
export type Renderer<N extends ReportName> = (report: Reports[N], style: ReportStyle) => string | undefined

export interface PlanHead {
  /** The command, or what is shown: `plan`, `apply`, `saved plan`. */
  readonly title: string
  /** The service time of a saved plan. */
  readonly asOf?: string
  /** Ids of the projects that entries are in. */
  readonly projects: readonly string[]
  readonly declared: number
  readonly seconds: number
}

export interface DriftHead {
  readonly projects: readonly string[]
  readonly seconds?: number
}

export interface StateRow {
  readonly address: string
  readonly kind: string
  readonly id: string | null
  readonly status: 'recorded' | 'unknown'
}

/** A row with its project and, for an unknown outcome, its type: only a creation results in an id. */
export interface StateLine extends StateRow {
  readonly projectId?: string | undefined
  readonly wasCreation?: boolean
  /** Set while another command writes, because the answer may just be under way. */
  readonly isUnderWay?: boolean
  /** Until when it can still take effect. */
  readonly until?: string | undefined
}

/** The result of waiting for a condition. */
export interface Waited {
  readonly formatVersion: 1
  /** The name of the condition, as in the gates of a manifest. */
  readonly condition: string
  readonly goal: string
  readonly reached: boolean
  readonly seconds: number
  /** The maximum time to wait. */
  readonly timeoutSeconds: number
  readonly looks: number
  readonly projects: readonly {
    readonly projectId: string
    readonly project?: string
    readonly reached: boolean
    /** The obstacles at the last look. */
    readonly hindrances: readonly ReportedHindrance[]
  }[]
  readonly requestsSent: number
}

/** Present silences; those that end first come first. */
interface Silences {
  readonly formatVersion: 1
  readonly silences: readonly SilenceRow[]
}

export interface SilenceRow {
  /** The id of the window; null if it is unknown whether it exists. */
  readonly id: string | null
  /** The name of its record. */
  readonly name: string
  readonly projectId: string
  /** The name that the manifest gives the project. */
  readonly project?: string
  readonly alertTypeNames: readonly string[]
  /** Instants in the service's format. */
  readonly startDate: string
  readonly endDate: string
  readonly reason?: string
  /** `unknown`: the answer to its creation, or to its end, was lost. */
  readonly status: 'open' | 'unknown'
}

/** Everything that was listed, by source: each item with the name of its project and its place. */
interface InventoryDocument {
  readonly formatVersion: 1
  /** Service time, ISO 8601. */
  readonly at: string
  readonly projects: readonly { readonly name: string; readonly id: string; readonly orgId?: string }[]
  readonly sources: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
  /** What was asked by an id that another source told, and has nothing: its id and place. */
  readonly empty: readonly ({ readonly source: string } & Readonly<Record<string, unknown>>)[]
  /** Lists that the calling key may not read, or the service does not have. */
  readonly refused: readonly {
    readonly source: string
    /** The name of the project, or the id of the place. */
    readonly of: string
    readonly code: string
    readonly message: string
  }[]
  readonly requestsSent: number
}

/** A source, as a person reads it. */
export interface InventoryTable {
  readonly name: string
  readonly title: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Counts of what a person looks for first: `no open alerts`, `2 open alerts`. */
  readonly asked?: readonly { readonly count: number; readonly says: string }[]
  /** Set if a reading of it, or of the ids that it needs, was refused, so that rows can be missing. */
  readonly isUnread?: boolean
  /** Set if only the newest were read. */
  readonly isCut?: boolean
  /** Ids of what was asked and has nothing. */
  readonly empty?: readonly string[]
}

/** The result of `validate`; manifests with errors are refused instead. */
interface Validation {
  readonly formatVersion: 1
  readonly valid: true
  readonly name: string
  readonly entries: number
  readonly warnings: readonly ManifestFinding[]
}

/** The result of a command without another report. */
export interface Done {
  readonly formatVersion: 1
  /** A sentence; a list of sentences if a command was asked to do several things. */
  readonly done: string | readonly string[]
  /** For an opened silence: the window, and the latest time until which it is open, by the service's clock. */
  readonly id?: string
  readonly projectId?: string
  readonly endDate?: string
}

/** The address of the embedded service. */
interface Ready {
  readonly ready: true
  readonly baseUrl: string
  readonly controlUrl?: string
  readonly controlToken?: string | undefined
}
