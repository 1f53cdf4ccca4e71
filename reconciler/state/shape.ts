import type { Resource, StateFile } from './model.ts'

/** A value of the wrong shape: where it is (a JSON path) and what was expected. */
export interface ShapeFault {
  at: string
  expected: string
}

type Check = (value: unknown) => string | undefined

const expecting = (expected: string, holds: (value: unknown) => boolean): Check => {
  return (value) => (holds(value) ? undefined : expected)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const text = expecting('a string', (value) => typeof value === 'string')
const filledText = expecting(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
)
const flag = expecting('true or false', (value) => typeof value === 'boolean')
const object = expecting('an object', isObject)
const objectOrNull = expecting('an object or null', (value) => value === null || isObject(value))
const count = expecting('a whole number from 1', (value) => Number.isSafeInteger(value) && Number(value) >= 1)
const url = expecting('a URL', (value) => typeof value === 'string' && URL.canParse(value))
const texts = expecting(
  'a list of strings',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
)

const required: Record<string, Check> = {
  name: filledText,
  baseUrl: url,
  lineage: filledText,
  serial: count,
  resources: object,
}
const requiredOfResource: Record<string, Check> = { kind: filledText, identity: object }
/** Checked where they are present; what a record has to have beyond its identity is the engine's to say. */
const optionalOfResource: Record<string, Check> = {
  applied: object,
  answer: objectOrNull,
  adopted: objectOrNull,
  onRemove: text,
  protect: flag,
  lastWrite: objectOrNull,
  watermark: text,
  acknowledged: texts,
  leftover: object,
  absent: flag,
  standing: flag,
}

/** Whether `value` is a state of format version 1; if not, `stateFault` says why. */
export function isState<R extends Resource>(value: unknown): value is StateFile<R> {
  return stateFault(value) === undefined
}

/** The first thing about `value` that is not a state of format version 1, or undefined. */
export function stateFault(value: unknown): ShapeFault | undefined {
  if (!isObject(value)) return { at: '$', expected: 'an object' }
  if (value['version'] !== 1) return { at: '$.version', expected: 'the number 1' }
  const fault = fieldFault('$', value, required)
  if (fault !== undefined) return fault
  const resources = value['resources']
  for (const [address, resource] of isObject(resources) ? Object.entries(resources) : []) {
    const inner = resourceFault(`$.resources[${JSON.stringify(address)}]`, resource)
    if (inner !== undefined) return inner
  }
  return undefined
}

function resourceFault(at: string, value: unknown): ShapeFault | undefined {
  if (!isObject(value)) return { at, expected: 'an object' }
  const present = Object.entries(optionalOfResource).filter(([key]) => Object.hasOwn(value, key))
  const fault = fieldFault(at, value, { ...requiredOfResource, ...Object.fromEntries(present) })
  if (fault !== undefined) return fault
  const identity = isObject(value['identity']) ? value['identity'] : {}
  return fieldFault(
    `${at}.identity`,
    identity,
    Object.fromEntries(Object.keys(identity).map((key) => [key, text])),
  )
}

function fieldFault(
  at: string,
  value: Record<string, unknown>,
  checks: Record<string, Check>,
): ShapeFault | undefined {
  for (const [key, check] of Object.entries(checks)) {
    const expected = check(Object.hasOwn(value, key) ? value[key] : undefined)
    if (expected !== undefined) return { at: `${at}.${key}`, expected }
  }
  return undefined
}
