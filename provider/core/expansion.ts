import type { Identity, Values } from './values.ts'

/**
 * How one declared entry stands for several instances. A pure function of the entry and of what was read: planning
 * asks `reads` first, sends the reads, and then asks `instances`.
 */
export interface Expansion {
  /** What to read to know the instances: one thing by its identity, or all things of the scope. */
  reads(values: Values): 'one' | 'scope'
  instances(entry: ExpansionInput): readonly Expanded[]
  /** Local times that the entry asks for and that clocks never show; undefined if there are none. */
  readonly leftOut?: (entry: Pick<ExpansionInput, 'values' | 'now'>) => LeftOutTimes | undefined
  /**
   * What an entry may look at besides its fields, by its names in answers; everything else is dropped after the read.
   */
  readonly looksAt: readonly string[]
  /** The way of release of an instance that a declared entry no longer stands for; by default its `onRemove`. */
  readonly dropped?: string
  /** Set if an entry can stand for several things at once, other than by a schedule. */
  readonly members?: Members
  /** The field that says whether the thing has to exist, with its two values. */
  readonly ensures?: { readonly field: string; readonly absent: string; readonly present: string }
  /**
   * A field that replaces others, and makes instances by the clock. A door whose plans must not depend on the clock
   * (Terraform plans again within an apply) has no such field.
   */
  readonly instead?: { readonly field: string; readonly of: readonly string[] }
}

export interface LeftOutTimes {
  /** `2026-03-29T02:00:00`. */
  readonly times: readonly string[]
  /** IANA time zone. */
  readonly zone: string
}

/** How one entry stands for several things, and how Terraform, which only shows entries, shows them. */
export interface Members {
  /** The field that says which things, instead of the key. */
  readonly by: string
  /** What an apply does to each: writes the declared value of `field`, or deletes it. */
  readonly are: 'written' | 'deleted'
  readonly field: string
  /** The name of a map from each thing's key to the value of `field`. */
  readonly map: string
  readonly summary: string
}

/** `live` is made only when asked for: an entry that names one thing does not ask. */
export interface ExpansionInput {
  readonly values: Values
  /** Everything that the scope's list showed, decoded; empty if the kind has no list. */
  readonly live: readonly Values[]
  /** Applied values of what the entry stood for before, and of what no entry stands for any more. */
  readonly recorded: readonly Values[]
  /** Service time. */
  readonly now: Date
}

/** One instance that an entry stands for. */
export type Expanded =
  | {
      readonly is: 'instance'
      /** Follows the address in brackets; undefined if the entry stands for itself. */
      readonly key?: string
      readonly provenance: Provenance
      /** Identity fields that this instance adds to those that the entry declares. */
      readonly identity: Identity
      readonly desired: Values
      /** The thing must not exist. */
      readonly absent?: boolean
      /** From this instant on it is no longer created; a recorded one stays. */
      readonly createBefore?: string
    }
  /** The entry itself, recorded so that later runs know that it was in force. */
  | { readonly is: 'in-force'; readonly desired: Values }
  /** The entry stands for nothing that exists. */
  | { readonly is: 'unmatched' }
  /** The entry cannot be carried out as declared, and nothing may be planned for it. */
  | { readonly is: 'refused'; readonly reason: string }

/** How an instance came to be managed; if two entries claim one thing, the stronger one wins. */
export type Provenance = 'named' | 'scheduled' | 'selected' | 'unlisted'

/** The entry is the instance. */
export const one = (): Expansion => ({
  looksAt: [],
  reads: () => 'one',
  instances: ({ values }) => [{ is: 'instance', provenance: 'named', identity: {}, desired: values }],
})

/** Tests one selector field against one live thing. */
type Matches = (wanted: unknown, live: Values) => boolean

/**
 * The entry names one thing by `key`, or everything that its selector matches. All fields of a selector have to
 * match.
 */
export const oneOrSelected = (words: {
  key: string
  looksAt: readonly string[]
  matches: Readonly<Record<string, Matches>>
  members: Members
}): Expansion => ({
  members: words.members,
  looksAt: words.looksAt,
  reads: (values) => (values[words.key] === undefined ? 'scope' : 'one'),
  instances(entry) {
    const { values } = entry
    const wanted = values[words.members.by]
    if (wanted === undefined) return [{ is: 'instance', provenance: 'named', identity: {}, desired: values }]
    const tests = Object.entries(wanted as Values).filter(([, value]) => value !== undefined)
    const found = entry.live.filter((thing) =>
      tests.every(([name, value]) => words.matches[name]?.(value, thing) ?? false),
    )
    if (found.length === 0) return [{ is: 'unmatched' }]
    return found.map((thing): Expanded => {
      const key = String(thing[words.key])
      return { is: 'instance', key, provenance: 'selected', identity: { [words.key]: key }, desired: values }
    })
  },
})

/**
 * The entry names one thing by `key`, which has to exist or not, or it lists the keys that may exist: all others that
 * are found have to go.
 */
export const oneOrOnly = (words: {
  key: string
  ensure: { field: string; absent: string; present: string }
  members: Members
}): Expansion => ({
  members: words.members,
  ensures: words.ensure,
  looksAt: [],
  reads: () => 'scope',
  instances(entry) {
    const { values } = entry
    const allowed = values[words.members.by] as readonly string[] | undefined
    if (allowed === undefined) {
      const absent = values[words.ensure.field] === words.ensure.absent
      return [{ is: 'instance', provenance: 'named', identity: {}, desired: values, absent }]
    }
    const extra = entry.live.map((thing) => String(thing[words.key])).filter((key) => !allowed.includes(key))
    const { [words.members.by]: _, ...scope } = values
    const gone = extra.map((key): Expanded => {
      const desired = { ...scope, [words.key]: key, [words.ensure.field]: words.ensure.absent }
      return {
        is: 'instance',
        key,
        provenance: 'unlisted',
        identity: { [words.key]: key },
        desired,
        absent: true,
      }
    })
    return [{ is: 'in-force', desired: values }, ...gone]
  },
})
