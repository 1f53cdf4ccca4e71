import {
  fillPath,
  isNone,
  type Identity,
  type KindDefinition,
  type None,
  type Operation,
  type Values,
} from '@deploymgmt/provider/core'
import { expect } from 'vitest'
import { capabilitiesOf } from '../../../../scripts/docs/capabilities.ts'
import type { Ran } from '../../../support/command.ts'
import { ORG, PROJECT } from '../../../support/installation.ts'
import type { Scene } from './scene.ts'
import type { Specimen, Subject, Thing } from './specimen.ts'

/** The text of one cell of the generated table. */
export const cellOf = (kind: KindDefinition, word: string): string => {
  const cell = capabilitiesOf(kind).find((capability) => capability.word === word)
  if (cell === undefined) throw new Error(`${kind.kind} has no cell ${word}`)
  return cell.whole
}

/** Expects the request in the cell, written as in the table. */
export const named = (kind: KindDefinition, word: string, operation: Operation): void => {
  const { method, path, endpoint } = operation
  expect(cellOf(kind, word)).toContain(`\`${method} ${path}\` (endpoint ${endpoint})`)
}

export const call = ({ method, path }: Operation, identity: Identity): string =>
  `${method} ${fillPath(path, identity)}`

/** The fields that a call can change. */
export const written = ({ write }: KindDefinition): readonly string[] => (isNone(write) ? [] : write.fields)

/** The request that writes a thing, which definition and contract have to agree on. */
export const writeOf = ({ kind, contract, identityOf }: Specimen, thing: Thing): string => {
  const { write } = kind
  if (isNone(write) || contract.change === 'no') throw new Error(`nothing writes the kind ${kind.kind}`)
  const identity = identityOf(thing)
  const request = call(write.operation, identity)
  expect(request).toBe(contract.change.request(identity[kind.identity.key] ?? ''))
  return request
}

/** The place of everything in these scenes; their manifests name the project instead of its id. */
export const SCOPE: Identity = { orgId: ORG, projectId: PROJECT }

/** A manual step with its placeholders filled in, as a user reads it. Offline, projects have no names. */
export const spoken = (sentence: string | undefined, entry: Values, projectId = 'payments'): string =>
  (sentence ?? '')
    .replaceAll(/\{\.?(\w+: \w+|(?<=\.)\w+)\}/g, '$1')
    .replaceAll(/\{\((\w+)\)\}/g, (_, name: string) =>
      entry[name] === undefined ? '' : ` (${textOf(entry, name)})`,
    )
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => textOf({ orgId: ORG, ...entry, projectId }, name))

/**
 * For what cannot be declared at all: the field that would ask for it is refused offline, with the reason and the
 * manual step of the definition.
 */
export const expectRefused = async (scene: Scene, asking: Values, { none, byHand }: None): Promise<void> => {
  const { managed } = scene.specimen
  await scene.declare({ mine: { ...managed.entry, ...asking } })
  for (const command of [['validate'], ['plan'], ['apply', '--auto-approve']]) {
    const refused = await scene.run(...command)
    expect(refused.code).toBe(1)
    for (const name of Object.keys(asking))
      expect(told(refused)).toContain(`there is no field "${name}" here`)
    expectReason(told(refused), none)
    expect(told(refused)).toContain(spoken(byHand, managed.entry, PROJECT))
  }
  expect(await scene.sent()).toEqual({ writes: [], reads: [] })
}

const textOf = (values: Values, name: string): string => {
  const value = values[name]
  return typeof value === 'string' ? value : `{${name}}`
}

/** All output, with line breaks replaced by spaces. */
export const told = ({ stdout, stderr }: Ran): string => `${stdout} ${stderr}`.replaceAll(/\s+/g, ' ')

/** Sorts arrays, which stand for sets here. */
export const normal = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(normal).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .map(([name, inner]) => [name, normal(inner)] as const)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value

/** Expects the service to hold the declared values, except secrets and what is not sent. */
export const expectHeld = ({ kind, inWords }: Specimen, thing: Thing, declared: Values): void => {
  const kept = Object.entries(declared).filter(([name]) => {
    const field = kind.fields[name]
    return field?.part === 'value' && field.type.is !== 'secret'
  })
  expect(normal(inWords(thing))).toMatchObject(normal(Object.fromEntries(kept)) as object)
}

/** The one thing at the service that matches a subject. */
export const thingOf = async (scene: Scene, { is }: Subject): Promise<Thing> => {
  const found = (await scene.things()).filter(is)
  expect(found).toHaveLength(1)
  return found[0]
}

/** Expects a record of this thing, and no other record. */
export const expectRecorded = async (scene: Scene, thing: Thing): Promise<void> => {
  const { kind, identityOf } = scene.specimen
  const records = await scene.recorded()
  expect(Object.keys(records)).toEqual([`${kind.section}.mine`])
  expect(records[`${kind.section}.mine`].identity).toEqual(identityOf(thing))
}

/** Expects no write in the service's log. */
export const expectNothingSent = async (scene: Scene): Promise<void> => {
  expect((await scene.sent()).writes).toEqual([])
}

/** Expects the reason of a definition within a text; case does not matter. */
export const expectReason = (said: string, reason: string): void => {
  expect(said.toLowerCase()).toContain(reason.toLowerCase())
}

/** Changes the managed thing without an event about it. */
export const tamperWith = async (scene: Scene, change: Specimen['tamper']): Promise<void> => {
  const { things, managed } = scene.specimen
  await scene.tamper((dump) => {
    const all = things(dump)
    change(all.find(managed.is), all)
  })
  await scene.forget()
}
