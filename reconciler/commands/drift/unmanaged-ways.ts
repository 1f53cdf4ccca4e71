import {
  configurationSpelling,
  isNone,
  namesOfUnmanaged,
  pick,
  terraformType,
  type KindDefinition,
} from '@deploymgmt/provider/core'
import { isUsualId } from '@deploymgmt/provider/core/check'
import { entryOfUnmanaged, type UnmanagedThing } from '@deploymgmt/provider/engine'
import { flow } from '../../adopt/yaml.ts'
import type { ReportedUnmanaged, WayOut } from '../../render/document/drift-model.ts'
import { isStack } from '../../render/wording/way-lines.ts'
import type { ReadRun } from '../run/read-run.ts'

type Ways = Pick<ReportedUnmanaged, 'declare' | 'leave'>

/** What a person can do about an unmanaged thing: the entry that adopts it, and the one that leaves it as it is. */
export const waysOfUnmanaged = (
  { declaration, sources }: Pick<ReadRun['loaded'], 'declaration' | 'sources'>,
  ownKey: string,
): ((definition: KindDefinition, thing: UnmanagedThing) => Ways) => {
  const taken = new Set(declaration.entries.map(({ address }) => address))
  const named = (values: Readonly<Record<string, unknown>>) => {
    const { projectId } = values
    const project = declaration.projectNames.get(String(projectId))
    return project === undefined ? values : { ...values, projectId: project }
  }
  return (definition, thing) => {
    const { section, identity } = thing
    const entry = entryOfUnmanaged(definition, thing)
    if (isStack(sources.map(({ file }) => file)))
      return { declare: { text: inStack(definition, entry ?? identity) } }
    const name = nameFor(definition, identity, taken)
    const known = pick(identity, namesOfUnmanaged(definition))
    // Another manifest may have created the thing with the same key; if it is adopted here, a release would end it
    // there.
    const isOwn = thing.isMaker === true && thing.actor?.publicKey === ownKey
    const [where, orElse] = isOwn
      ? [
          'where no other state records it, ',
          'where another state records it, name that under otherStates; else ',
        ]
      : ['', '']
    return {
      declare:
        entry === undefined || name === undefined
          ? { text: 'deploymgmt adopt writes what events tell of it, as a comment' }
          : adding(
              `${name}: ${flow(named(withEnding(definition, entry)))}`,
              where,
              `${section}${thenEnded(definition)}`,
            ),
      leave: adding(flow({ section, ...named(known), reason: 'WHY' }), orElse, 'unmanaged.ignore'),
    }
  }
}

/** What to paste, with words before and behind it. */
const adding = (entry: string, before: string, behind: string): WayOut => ({
  text: `${before}add ${entry} to ${behind}`,
  entry,
})

/** The declaration for a program, with attributes in Terraform's spelling. */
const inStack = ({ kind }: KindDefinition, values: Readonly<Record<string, unknown>>): string =>
  `declare a ${terraformType(kind)} with ${flow(spelt(values))} in the program`

const spelt = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(spelt)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [configurationSpelling.field(name), spelt(each)]),
  )
}

/** Ids that were assigned in sequence differ at their ends; a type is told whole. */
const nameFor = (
  { kind, section, identity: { key } }: KindDefinition,
  identity: UnmanagedThing['identity'],
  taken: ReadonlySet<string>,
): string | undefined => {
  const own = identity[key] ?? ''
  const id = own.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return (isUsualId(own) ? [id.slice(-6), id] : [id])
    .map((end) => `${kind.replaceAll('_', '-')}-${end}`)
    .find((each) => !taken.has(`${section}.${each}`))
}

const withEnding = ({ silences }: KindDefinition, entry: Readonly<Record<string, unknown>>) =>
  isNone(silences) ? entry : { ...entry, onRemove: silences.ending }

/** Says that the kind cannot be deleted; taking the entry out ends the thing. */
const thenEnded = ({ silences }: KindDefinition): string =>
  isNone(silences) ? '' : '; to end it, apply, take it out and apply again'
