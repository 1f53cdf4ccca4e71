import { partsOf, type KindDefinition, type Part } from '../../core/definition.ts'
import { fillPath } from '../../core/operation.ts'
import type { Identity } from '../../core/values.ts'
import { ForbiddenError, NotFoundError } from '../../errors/index.ts'
import { declaredIdentity } from '../values/identity.ts'
import type { Entry } from '../values/model.ts'
import { partOf, answeredRead } from './answer-shape.ts'
import type { EngineClient } from './client.ts'

/** Fields of one thing that have lists of their own. */
interface WantedParts {
  readonly definition: KindDefinition
  readonly identity: Identity
  readonly fields: readonly (readonly [string, Part])[]
  /** Undeclared fields, which are read if that is permitted. */
  readonly besides: readonly (readonly [string, Part])[]
}

interface PartsInput {
  readonly definitions: readonly KindDefinition[]
  readonly entries: readonly Entry[]
  /** Also read undeclared fields, if the key may. */
  readonly allParts?: boolean
}

/** The parts that a run wants to see. */
export const wantedParts = ({ definitions, entries, allParts = false }: PartsInput): WantedParts[] =>
  definitions.flatMap((definition): WantedParts[] => {
    const all = Object.entries(partsOf(definition))
    return entries
      .filter(({ kind }) => kind === definition.kind)
      .map(({ values }) => ({
        definition,
        identity: declaredIdentity(definition, values),
        fields: all.filter(([name]) => values[name] !== undefined),
        besides: allParts ? all.filter(([name]) => values[name] === undefined) : [],
      }))
      .filter(({ fields, besides }) => fields.length + besides.length > 0)
  })

/** The lists of parts; or that the thing does not exist, or that its place does not. */
type PartsRead = Readonly<Record<string, readonly unknown[]>> | 'missing' | 'no-place'

export const readWantedParts = async (
  client: EngineClient,
  { definition, identity, fields, besides }: WantedParts,
): Promise<PartsRead | 'unseen'> => {
  const [declared, others] = await Promise.all([
    readParts(client, { definition, identity, fields }),
    readBesides(client, { definition, identity, besides }),
  ])
  if (typeof declared === 'string') return declared
  if (typeof others === 'string') return others
  const seen = { ...declared, ...others }
  return Object.keys(seen).length === 0 ? 'unseen' : seen
}

/**
 * What does not exist, according to the service's error code; undefined if the code does not tell.
 * @throws unknown any other failure
 */
const goneIn = ({ goneCodes, placeCodes }: Part, error: unknown): 'missing' | 'no-place' | undefined => {
  if (!(error instanceof NotFoundError)) throw error
  const code = error.serviceErrorCode ?? ''
  if (placeCodes.test(code)) return 'no-place'
  return goneCodes.test(code) ? 'missing' : undefined
}

/** @throws RequestError */
const itemsOf = async (
  client: EngineClient,
  definition: KindDefinition,
  identity: Identity,
  [name, part]: readonly [string, Part],
): Promise<readonly unknown[]> => {
  const path = fillPath(part.list.path, identity)
  const page = await client.list(path, {}, { keyOf: () => undefined })
  return page.results.map((raw) => partOf(definition, [name, part], raw, answeredRead(client, path)))
}

/** Reads the fields of one thing that have lists of their own. */
export const readParts = (client: EngineClient, wanted: Omit<WantedParts, 'besides'>): Promise<PartsRead> =>
  readLists(client, wanted, (part, error) => goneIn(part, error) ?? 'missing')

/**
 * Reads undeclared parts that are permitted and exist: a service may know a thing and have no such part. If it says
 * that the thing itself is gone, the thing is gone.
 */
const readBesides = (
  client: EngineClient,
  { besides, ...thing }: Omit<WantedParts, 'fields'>,
): Promise<PartsRead> =>
  readLists(client, { ...thing, fields: besides }, (part, error) =>
    error instanceof ForbiddenError ? undefined : goneIn(part, error),
  )

/** @param gone what a failure means; a list is left out if it means nothing */
const readLists = async (
  client: EngineClient,
  { definition, identity, fields }: Omit<WantedParts, 'besides'>,
  gone: typeof goneIn,
): Promise<PartsRead> => {
  const read = fields.map(async ([name, part]) => {
    try {
      return [name, await itemsOf(client, definition, identity, [name, part])] as const
    } catch (error) {
      return gone(part, error)
    }
  })
  const lists = await Promise.all(read)
  return (
    lists.find((list) => typeof list === 'string') ??
    Object.fromEntries(lists.filter((list) => typeof list === 'object'))
  )
}
