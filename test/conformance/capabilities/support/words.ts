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

/** What the generated table says in one cell. */
export const cellOf = (kind: KindDefinition, word: string): string => {
  const cell = capabilitiesOf(kind).find((capability) => capability.word === word)
  if (cell === undefined) throw new Error(`${kind.kind} has no cell ${word}`)
  return cell.whole
}

/** The request as the table names it, to be found in the cell as well as in the service's log. */
export const named = (kind: KindDefinition, word: string, operation: Operation): void => {
  const { method, path, endpoint } = operation
  expect(cellOf(kind, word)).toContain(`\`${method} ${path}\` (endpoint ${endpoint})`)
}

export const call = ({ method, path }: Operation, identity: Identity): string =>
  `${method} ${fillPath(path, identity)}`

/** The write of a thing: as the definition says it, and as the contract does. */
export const writeOf = ({ kind, contract, identityOf }: Specimen, thing: Thing): string => {
  const { write } = kind
  if (isNone(write) || contract.change === 'no') throw new Error(`nothing writes the kind ${kind.kind}`)
  const identity = identityOf(thing)
  const request = call(write.operation, identity)
  expect(request).toBe(contract.change.request(identity[kind.identity.key] ?? ''))
  return request
}

/** Where the manifests of these scenes declare what does not say it: the project has a name there. */
export const SCOPE: Identity = { orgId: ORG, projectId: PROJECT }

/** A manual step with its places filled in, as a person reads it; offline, projects have no names. */
export const spoken = (sentence: string | undefined, entry: Values, projectId = 'payments'): string =>
  (sentence ?? '')
    .replaceAll(/\{\.?(\w+: \w+|(?<=\.)\w+)\}/g, '$1')
    .replaceAll(/\{\((\w+)\)\}/g, (_, name: string) =>
      entry[name] === undefined ? '' : ` (${textOf(entry, name)})`,
    )
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => textOf({ orgId: ORG, ...entry, projectId }, name))

/**
 * Where nothing could be declared that would be planned and blocked, the field that asks for it is refused
 * offline, with the same reason and the same manual step.
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

/** All that was said, without the line ends of a screen. */
export const told = ({ stdout, stderr }: Ran): string => `${stdout} ${stderr}`.replaceAll(/\s+/g, ' ')

/** Sets have no order. */
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

/** The service holds what is declared, as far as it is kept there and no secret. */
export const expectHeld = ({ kind, inWords }: Specimen, thing: Thing, declared: Values): void => {
  const kept = Object.entries(declared).filter(([name]) => {
    const field = kind.fields[name]
    return field?.part === 'value' && field.type.is !== 'secret'
  })
  expect(normal(inWords(thing))).toMatchObject(normal(Object.fromEntries(kept)) as object)
}

/** The thing that a subject is, which has to be there once. */
export const thingOf = async (scene: Scene, { is }: Subject): Promise<Thing> => {
  const found = (await scene.things()).filter(is)
  expect(found).toHaveLength(1)
  return found[0]
}

/** The record that a subject should have, and no other. */
export const expectRecorded = async (scene: Scene, thing: Thing): Promise<void> => {
  const { kind, identityOf } = scene.specimen
  const records = await scene.recorded()
  expect(Object.keys(records)).toEqual([`${kind.section}.mine`])
  expect(records[`${kind.section}.mine`].identity).toEqual(identityOf(thing))
}

/** Nothing was written, by the service's own log. */
export const expectNothingSent = async (scene: Scene): Promise<void> => {
  expect((await scene.sent()).writes).toEqual([])
}

/** The reason of the definition within a longer one, whichever way it begins there. */
export const expectReason = (said: string, reason: string): void => {
  expect(said.toLowerCase()).toContain(reason.toLowerCase())
}

/** Somebody changes the managed thing, and no event tells of it. */
export const tamperWith = async (scene: Scene, change: Specimen['tamper']): Promise<void> => {
  const { things, managed } = scene.specimen
  await scene.tamper((dump) => {
    const all = things(dump)
    change(all.find(managed.is), all)
  })
  await scene.forget()
}
