import type { Fields } from '@deploymgmt/provider/core'
import type { Listing, RecordedResource } from '@deploymgmt/provider/engine'
import type { ManifestFinding } from '../../errors/finding.ts'
import type { Style } from '../../text/style.ts'
import type { ApplyEvent } from './apply-events.ts'
import type { DriftDocument } from './drift-model.ts'
import type { PlanDocument, SaidHindrance } from './plan-model.ts'
import type { Failure } from './failure.ts'

/** What each report is made from: the document that `json` shows whole, and what is told of the run besides. */
export interface Reports {
  readonly plan: { readonly document: PlanDocument; readonly head: PlanHead }
  readonly drift: { readonly document: DriftDocument; readonly head: DriftHead }
  readonly apply: { readonly document: ApplyEvent }
  readonly reading: {
    readonly document: Readonly<Record<string, unknown>> | Listing
    readonly name: string
    /** What its definition says of its items. */
    readonly fields?: Fields
  }
  readonly records: { readonly document: readonly StateRow[]; readonly lines: readonly StateLine[] }
  readonly record: {
    /** The record at an address, and whatever else the entry of this name stands for, or stood for. */
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
  /** It goes to a terminal, where what is long has gone by. */
  readonly isTerminal?: boolean
  /** The plan above has shown all of it, and nothing was to be done: its end is counts alone. */
  readonly isShownAbove?: boolean
}

/** Shows a report; nothing where an event says nothing in this format. */
export type Renderer<N extends ReportName> = (report: Reports[N], style: ReportStyle) => string | undefined

export interface PlanHead {
  /** The command, or what is shown: `plan`, `apply`, `saved plan`. */
  readonly title: string
  /** Service time as of which a saved plan was made. */
  readonly asOf?: string
  /** Ids of those that entries are in. */
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

/** A row, and of an unknown outcome what it is about: only a creation has an id to be told. */
export interface StateLine extends StateRow {
  readonly wasCreation?: boolean
  /** While another command writes, its answer may just be on its way. */
  readonly isUnderWay?: boolean
  /** Until when it can still take effect. */
  readonly until?: string | undefined
}

/** What came of waiting for a condition. */
export interface Waited {
  readonly formatVersion: 1
  /** As gates of a manifest are called. */
  readonly condition: string
  readonly goal: string
  readonly reached: boolean
  readonly seconds: number
  /** For how long it was to be waited at most. */
  readonly timeoutSeconds: number
  readonly looks: number
  readonly projects: readonly {
    readonly projectId: string
    readonly project?: string
    readonly reached: boolean
    /** What stood against it when it was looked last. */
    readonly hindrances: readonly SaidHindrance[]
  }[]
  readonly requestsSent: number
}

/** What is silenced now, what ends first first. */
export interface Silences {
  readonly formatVersion: 1
  readonly silences: readonly SilenceRow[]
}

export interface SilenceRow {
  /** Of its window; null where nobody knows whether there is one. */
  readonly id: string | null
  /** What it is recorded as. */
  readonly name: string
  readonly projectId: string
  /** The name that the manifest gives the project. */
  readonly project?: string
  readonly alertTypeNames: readonly string[]
  /** Instants as the service has them. */
  readonly startDate: string
  readonly endDate: string
  readonly reason?: string
  /** `unknown`: the answer to its creation, or to its end, was lost. */
  readonly status: 'open' | 'unknown'
}

/** All that was listed, by source: each item with the name of its project and where it is. */
export interface InventoryDocument {
  readonly formatVersion: 1
  /** When, in service time, ISO 8601. */
  readonly at: string
  readonly projects: readonly { readonly name: string; readonly id: string; readonly orgId?: string }[]
  readonly sources: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
  /** What the calling key may not read, or the service does not know. */
  readonly refused: readonly {
    readonly source: string
    /** The name of the project, or the id of the place. */
    readonly of: string
    readonly code: string
    readonly message: string
  }[]
  readonly requestsSent: number
}

/** What counts of one source for a person. */
export interface InventoryTable {
  readonly name: string
  readonly title: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** What a person looks for first, counted: `no open alerts`, `2 open alerts`. */
  readonly asked?: readonly { readonly count: number; readonly says: string }[]
  /** A reading of it was refused, or of what tells its ids: what is not in the rows can be there. */
  readonly isUnread?: boolean
}

/** What `validate` found; manifests with errors are refused instead. */
export interface Validation {
  readonly formatVersion: 1
  readonly valid: true
  readonly name: string
  readonly entries: number
  readonly warnings: readonly ManifestFinding[]
}

/** What a command that reports nothing else has done. */
export interface Done {
  readonly formatVersion: 1
  /** A sentence; a list of them where a command was told to do several things. */
  readonly done: string | readonly string[]
  /** Of a silence that was opened: which window it is, and until when at the latest, by the clock of the service. */
  readonly id?: string
  readonly projectId?: string
  readonly endDate?: string
}

/** Where the embedded service answers. */
export interface Ready {
  readonly ready: true
  readonly baseUrl: string
  readonly controlUrl?: string
  readonly controlToken?: string | undefined
}
