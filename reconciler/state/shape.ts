import { parseInstant, type WriteSpan } from '@deploymgmt/provider/engine'
import type { RecordedResource, Resource, StateFile } from './model.ts'

/** A value of the wrong shape: where it is (a JSON path) and what was expected. */
export interface ShapeFault {
  at: string
  expected: string
}

/** The first thing about a value that is not as expected. */
type Check = (value: unknown, at: string) => ShapeFault | undefined

const expecting =
  (expected: string, holds: (value: unknown) => boolean): Check =>
  (value, at) =>
    holds(value) ? undefined : { at, expected }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const first = (checks: Iterable<() => ShapeFault | undefined>): ShapeFault | undefined => {
  for (const check of checks) {
    const fault = check()
    if (fault !== undefined) return fault
  }
  return undefined
}

const orNull =
  (check: Check): Check =>
  (value, at) => {
    const fault = value === null ? undefined : check(value, at)
    return fault?.at === at ? { at, expected: `${fault.expected} or null` } : fault
  }

const listOf =
  (item: Check): Check =>
  (value, at) =>
    Array.isArray(value)
      ? first(value.map((each: unknown, index) => () => item(each, `${at}[${index}]`)))
      : { at, expected: 'a list' }

const mapOf =
  (item: Check): Check =>
  (value, at) =>
    isObject(value)
      ? first(
          Object.entries(value).map(
            ([key, each]) =>
              () =>
                item(each, `${at}${step(key)}`),
          ),
        )
      : { at, expected: 'an object' }

const step = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)

interface Required {
  readonly check: Check
}
interface Optional extends Required {
  readonly mayLack: true
}

/** A check for each field of `T`, said to be optional where the type does, so that no field can be forgotten. */
type Fields<T> = { readonly [K in keyof T]-?: object extends Pick<T, K> ? Optional : Required }

const must = (check: Check): Required => ({ check })
const may = (check: Check): Optional => ({ check, mayLack: true })

/** An object with the fields of `T`; others are kept as they are. */
const objectOf = <T>(fields: Fields<T>): Check => {
  const known = Object.entries<Required | Optional>(fields)
  return (value, at) =>
    isObject(value)
      ? first(
          known.map(([name, field]) => () => {
            const there = Object.hasOwn(value, name)
            if (!there && 'mayLack' in field) return undefined
            return field.check(there ? value[name] : undefined, `${at}.${name}`)
          }),
        )
      : { at, expected: 'an object' }
}

const text = expecting('a string', (value) => typeof value === 'string')
const filled = expecting('a string that is not empty', (value) => typeof value === 'string' && value !== '')
const instant = expecting(
  'an instant',
  (value) => typeof value === 'string' && !Number.isNaN(parseInstant(value)),
)
const flag = expecting('true or false', (value) => typeof value === 'boolean')
const values = expecting('an object', isObject)
const list = expecting('a list', Array.isArray)
const count = expecting('a whole number from 1', (value) => Number.isSafeInteger(value) && Number(value) >= 1)
const url = expecting('a URL', (value) => typeof value === 'string' && URL.canParse(value))

const span = objectOf<WriteSpan>({
  from: must(instant),
  to: must(instant),
  // States of an earlier version have none.
  by: may(text),
  sent: must(listOf(listOf(text))),
})

const resource = objectOf<RecordedResource>({
  kind: must(filled),
  identity: must(mapOf(text)),
  applied: must(values),
  answer: must(orNull(values)),
  beside: may(mapOf(list)),
  adopted: must(orNull(values)),
  onRemove: must(text),
  protect: may(flag),
  lastWrite: must(orNull(span)),
  watermark: must(instant),
  acknowledged: may(listOf(text)),
  leftover: may(values),
  unsure: may(listOf(text)),
  absent: may(flag),
  standing: may(flag),
})

const state = objectOf<StateFile>({
  version: must(expecting('the number 1', (value) => value === 1)),
  name: must(filled),
  baseUrl: must(url),
  lineage: must(filled),
  serial: must(count),
  resources: must(mapOf(resource)),
})

/** Whether `value` is a state of format version 1; if not, `stateFault` says why. */
export const isState = <R extends Resource>(value: unknown): value is StateFile<R> =>
  stateFault(value) === undefined

/** The first thing about `value` that is not a state of format version 1, or undefined. */
export const stateFault = (value: unknown): ShapeFault | undefined => state(value, '$')
