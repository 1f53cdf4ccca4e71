import type { KindDefinition, ReadableKind } from '../../core/definition.ts'
import { fillPath } from '../../core/operation.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { RequestFacts } from '../../errors/index.ts'
import { answeredRead, refuseMisshapen, refuseNameless } from './answer-shape.ts'
import type { EngineClient } from './client.ts'
import { fromAnswer } from '../values/wire.ts'

/** One thing as it was read. */
export interface Thing {
  readonly identity: Identity
  /** The fields that its definition knows. */
  readonly values: Values
  /** The answer: all of it, or what selectors look at (see `ObserveInput.withUnmanaged`). */
  readonly raw: Values
}

/** Where a list was read, and how much of its things is kept. */
interface From {
  readonly request: RequestFacts
  readonly scope: Identity
  /** Whether the whole answer about a thing is kept. */
  readonly isWhole: (identity: Identity) => boolean
}

/** All things of one kind in one place, as its list showed them. */
export class Listed {
  /** How many requests the list took. */
  readonly requests: number
  readonly #definition: KindDefinition
  readonly #from: From
  /** By key. */
  readonly #things: Map<string, Thing>
  #all: readonly Thing[] | undefined

  constructor(definition: KindDefinition, results: readonly unknown[], from: From & { requests: number }) {
    this.requests = from.requests
    this.#definition = definition
    this.#from = from
    const { key } = definition.identity
    this.#things = new Map(
      results.map((raw) => {
        refuseNameless(definition, raw, from.request)
        const thing = thingFrom(definition, raw, from.scope, from)
        return [thing.identity[key] ?? '', thing]
      }),
    )
  }

  /** Returns the same array until something is put or taken. */
  get things(): readonly Thing[] {
    this.#all ??= [...this.#things.values()]
    return this.#all
  }

  get(key: string | undefined): Thing | undefined {
    return key === undefined ? undefined : this.#things.get(key)
  }

  /** Merges a later answer about a listed thing; fields that it lacks stay as they are. */
  put(key: string, answer: unknown): void {
    const known = this.#things.get(key)
    const { scope } = this.#from
    const { values, raw } = thingFrom(this.#definition, answer, scope, this.#from)
    if (known === undefined || keyIn(this.#definition)(answer) !== key)
      throw new RangeError(`${key} is not what was listed`)
    this.#things.set(key, {
      identity: known.identity,
      values: { ...known.values, ...values },
      raw: { ...known.raw, ...raw },
    })
    this.#all = undefined
  }

  /** Adds a thing that exists although the list does not show it. */
  add(key: string, thing: Thing): void {
    this.#things.set(key, thing)
    this.#all = undefined
  }

  /** Removes a thing that no longer exists. */
  take(key: string): void {
    this.#things.delete(key)
    this.#all = undefined
  }
}

export const listedIn = async (
  client: EngineClient,
  definition: ReadableKind,
  scope: Identity,
  {
    isWhole = () => true,
    ...options
  }: { readonly tentative?: boolean } & Partial<Pick<From, 'isWhole'>> = {},
): Promise<Listed> => {
  const path = fillPath(definition.observe.list.path, scope)
  const { results, requests } = await client.list(path, {}, { keyOf: keyIn(definition), ...options })
  return new Listed(definition, results, { request: answeredRead(client, path), scope, isWhole, requests })
}

const keyIn =
  ({ identity }: KindDefinition) =>
  (item: unknown): string | undefined => {
    const key = (item as Values | null)?.[identity.keyInAnswer]
    return typeof key === 'string' ? key : undefined
  }

/**
 * One thing of an answer.
 * @throws MalformedAnswerError if a known field has an undocumented shape
 */
export const thingFrom = (
  definition: KindDefinition,
  raw: unknown,
  scope: Identity,
  { request, isWhole }: Pick<From, 'request' | 'isWhole'>,
): Thing => {
  const { key } = definition.identity
  const told = keyIn(definition)(raw) ?? ''
  const identity = pickGiven(scope, definition.identity.scope)
  identity[key] = told
  refuseMisshapen(definition, raw, identity, request)
  const { values } = fromAnswer(definition, raw, identity)
  const kept = isWhole(identity) ? (raw as Values) : pickGiven(raw as Values, definition.expand.looksAt)
  return { identity, values, raw: kept }
}

/** Only these fields, without those that have no value. */
const pickGiven = <V>(values: Readonly<Record<string, V>>, names: readonly string[]): Record<string, V> => {
  const picked: Record<string, V> = {}
  for (const name of names) if (values[name] !== undefined) picked[name] = values[name]
  return picked
}
