import { definitionOf } from '@deploymgmt/provider/core'
import {
  isWide,
  unmanagedOf,
  type Reason,
  type UnmanagedInput,
  type UnmanagedThing,
} from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { ignoredAs, type Ignored } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import { acceptanceOf } from '../../render/document/acceptances.ts'
import { isNews, type SaidUnmanaged } from '../../render/document/drift-model.ts'
import { sentSince } from '../../state/index.ts'
import { acquaintedWith, mayBeOf } from '../run/acquainted.ts'
import { showingReads } from '../output/live-line.ts'
import type { CommonOptions } from '../line/options.ts'
import type { ReadRun } from '../run/read-run.ts'
import { waysOfUnmanaged } from './unmanaged-ways.ts'

export interface UnmanagedOptions extends CommonOptions {
  /** `fail`: what nobody declares is drift; `off`, or where left out: nobody looks. */
  readonly unmanaged?: 'report' | 'fail' | 'off'
}
export const looksForUnmanaged = ({ unmanaged = 'off' }: UnmanagedOptions): boolean => unmanaged !== 'off'

/** The clocks of a service and of a machine agree to this. */
const MARGIN_MS = 2_000

export interface Found {
  readonly unmanaged?: readonly SaidUnmanaged[]
  readonly warnings: readonly Reason[]
  /** From when on events were read, ISO 8601. */
  readonly since?: string
}

/** What is there and nobody declares, unless the run has not looked for it; `started` is when the command began. */
export const lookForUnmanaged = async (
  io: Io,
  options: UnmanagedOptions,
  { client, loaded, session, records, target, run }: ReadRun,
  started: Date,
): Promise<Found> => {
  if (!isWide(run)) return { warnings: [] }
  const { busy, unknown } = session
  // What was recorded is of before that: a command that has begun since may have made it.
  const until = started.getTime() + (client.skewMs ?? 0) - MARGIN_MS
  const acquainted = acquaintedWith(io, options, loaded, session)
  const input: UnmanagedInput = {
    ...acquainted,
    lost: async () => {
      const lost = [...unknown, ...(await acquainted.lost())].filter(({ method }) => method === 'POST')
      return { mayBe: mayBeOf(lost), since: sentSince(lost) }
    },
    definitions: kinds,
    declaration: loaded.declaration,
    records,
    run,
    asks: (section) => target?.target(`${section}.`) ?? true,
    isOpen: (kind, at) =>
      busy !== undefined ||
      at > until ||
      unknown.some((each) => each.kind === kind && each.method === 'POST'),
  }
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

const withIgnored = (found: UnmanagedThing, ignored: readonly Ignored[], now: Date): SaidUnmanaged => {
  const { alsoNamed, values: _, ...thing } = found
  const names = { ...thing.identity, ...alsoNamed }
  const { holds, before } = ignoredAs(ignored, thing.section, names, now)
  if (holds !== undefined) return { ...thing, ignored: acceptanceOf(holds) }
  return before === undefined ? thing : { ...thing, ignoredBefore: acceptanceOf(before) }
}
