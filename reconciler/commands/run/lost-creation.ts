import { definitionOf } from '@deploymgmt/provider/core'
import { organizationsOf } from '@deploymgmt/provider/engine'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import type { Io } from '../../io.ts'
import { wordsAbout } from './plan-words.ts'
import type { OpenIntent } from '../../state/index.ts'
import { fieldsOfKind } from '../../render/document/field-type.ts'
import { keyValueLines } from '../../text/key-values.ts'
import { printedLines } from '../../text/lines.ts'
import type { CommonOptions } from '../line/options.ts'
import { PLAIN } from '../output/report.ts'
import { withClient } from '../service/with-client.ts'
import { loadToRead } from '../resolve/load.ts'
import { knownElsewhere } from './known-things.ts'
import { settlementOf } from './unknown-outcomes.ts'

/** The evidence about a request, and the organizations whose events could provide it. */
interface Told {
  readonly said: string | undefined
  readonly orgIds: readonly string[]
}

/** By the number of the request. */
export type CreationsFound = ReadonlyMap<number, Told>

/**
 * Lines about a lost creation, for a person to decide: what was to be created, what is known of it, and how to look.
 */
export const aboutCreation = ({ n, detail: { expected } }: OpenIntent, found: CreationsFound): string[] => {
  const { said, orgIds = [] } = found.get(n) ?? {}
  const looks = (orgIds.length === 0 ? ['ID'] : orgIds).map(
    (id) => `To look: deploymgmt get organization_events --org-id ${id}`,
  )
  return [
    ...printedLines(keyValueLines(expected.applied, PLAIN.width, fieldsOfKind(expected.kind)), PLAIN).split(
      '\n',
    ),
    ...(said === undefined ? [] : [said]),
    ...looks,
    'Run deploymgmt apply first: it settles what it can by itself.',
  ]
}

/** Evidence from reads alone; empty if the service does not answer, because a person may know without it. */
export const whatIsFound = (io: Io, options: CommonOptions): Promise<CreationsFound> =>
  withClient(io, options, async (client, { baseUrl }) => {
    const { loaded, session } = await loadToRead(io, options, { client, baseUrl }, { sendsPlaces: false })
    const { declaration } = loaded
    const { sentence } = wordsAbout(loaded)
    const elsewhere = knownElsewhere(io, options, loaded, session)
    const { open, provisional } = await settlementOf(session, loaded, client, { elsewhere })
    const told = new Map([
      ...provisional.map(({ n, how }) => [n, how] as const),
      ...open.map(({ write: { n }, because }) => [n, because] as const),
    ])
    return new Map(
      session.unknown.map(({ n, kind, detail: { expected } }) => {
        const because = told.get(n)
        const definition = definitionOf(kinds, kind)
        const orgIds = definition === undefined ? [] : organizationsOf(definition, expected, declaration)
        return [n, { said: because && sentence(because), orgIds }] as const
      }),
    )
  }).catch((error: unknown) => {
    if (!(error instanceof DeploymgmtError)) throw error
    return new Map<number, Told>()
  })
