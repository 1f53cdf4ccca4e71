import { definitionOf } from '@deploymgmt/provider/core'
import {
  readsUnmanaged,
  unmanagedOf,
  type Reason,
  type UnmanagedInput,
  type UnmanagedThing,
} from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { ignoredAs, type Ignored } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import { acceptanceOf } from '../../render/document/acceptances.ts'
import { isNews, type ReportedUnmanaged } from '../../render/document/drift-model.ts'
import { sentSince } from '../../state/index.ts'
import { knownThingsOf, mayBeOf } from '../run/known-things.ts'
import { showingReads } from '../output/live-line.ts'
import type { CommonOptions } from '../line/options.ts'
import type { ReadRun } from '../run/read-run.ts'
import { waysOfUnmanaged } from './unmanaged-ways.ts'

export interface UnmanagedOptions extends CommonOptions {
  /** `fail`: unmanaged things are drift. `off`, or undefined: does not look for them. */
  readonly unmanaged?: 'report' | 'fail' | 'off'
}
export const looksForUnmanaged = ({ unmanaged = 'off' }: UnmanagedOptions): boolean => unmanaged !== 'off'

/** The clocks of service and machine agree to within this. */
const MARGIN_MS = 2_000

export interface UnmanagedFound {
  readonly unmanaged?: readonly ReportedUnmanaged[]
  readonly warnings: readonly Reason[]
  /** The time from which events were read, ISO 8601. */
  readonly since?: string
}

/** Unmanaged things, unless the run has not looked for any; `started` is when the command started. */
export const lookForUnmanaged = async (
  io: Io,
  options: UnmanagedOptions,
  read: ReadRun,
  started: Date,
): Promise<UnmanagedFound> => {
  const { client, loaded, run } = read
  if (!readsUnmanaged(run)) return { warnings: [] }
  const input = inputFor(io, options, { ...read, run }, started)
  const { things, warnings, since } = await showingReads(io, options, client, async () =>
    unmanagedOf(client, input),
  )
  const waysOf = waysOfUnmanaged(loaded, client.publicKey)
  const unmanaged = things.map((thing) => {
    const definition = definitionOf(kinds, thing.kind)
    const said = withIgnored(thing, loaded.ignored, run.now)
    return definition === undefined || !isNews(said) ? said : { ...said, ...waysOf(definition, thing) }
  })
  return { unmanaged, warnings, ...(since === undefined ? {} : { since }) }
}

const inputFor = (
  io: Io,
  options: UnmanagedOptions,
  { client, loaded, session, records, target, run }: ReadRun & Pick<UnmanagedInput, 'run'>,
  started: Date,
): UnmanagedInput => {
  const { busy, unknown } = session
  // The records are from before that time: a command that has started since may have created the thing.
  const until = started.getTime() + (client.skewMs ?? 0) - MARGIN_MS
  const knownThings = knownThingsOf(io, options, loaded, session)
  return {
    ...knownThings,
    lost: async () => {
      const lost = [...unknown, ...(await knownThings.lost())].filter(({ method }) => method === 'POST')
      return [...Map.groupBy(lost, ({ detail }) => detail.by ?? client.publicKey)].map(([by, sent]) => ({
        by,
        mayBe: mayBeOf(sent),
        since: sentSince(sent),
      }))
    },
    definitions: kinds,
    declaration: loaded.declaration,
    records,
    run,
    asks: (section) => target?.includes(`${section}.`) ?? true,
    isOpen: (kind, at) =>
      busy !== undefined ||
      at > until ||
      unknown.some((each) => each.kind === kind && each.method === 'POST'),
  }
}

const withIgnored = (found: UnmanagedThing, ignored: readonly Ignored[], now: Date): ReportedUnmanaged => {
  const { alsoNamed, values: _, ...thing } = found
  const names = { ...thing.identity, ...alsoNamed }
  const { holds, before } = ignoredAs(ignored, thing.section, names, now)
  if (holds !== undefined) return { ...thing, ignored: acceptanceOf(holds) }
  return before === undefined ? thing : { ...thing, ignoredBefore: acceptanceOf(before) }
}
