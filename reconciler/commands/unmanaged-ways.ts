import { isNone, namesOfUnmanaged, pick, type KindDefinition } from '@deploymgmt/provider/core'
import { entryOfUnmanaged, type UnmanagedThing } from '@deploymgmt/provider/engine'
import { flow } from '../adopt/yaml.ts'
import type { SaidUnmanaged } from '../render/document.ts'
import type { ReadRun } from './read-run.ts'

type Ways = Pick<SaidUnmanaged, 'declare' | 'leave'>

/** What a person can do about something that nobody declares: the entry that takes it over, and the one that lets it be. */
export const waysOfUnmanaged =
  ({ declaration }: Pick<ReadRun['loaded'], 'declaration'>) =>
  (definition: KindDefinition, thing: UnmanagedThing): Ways => {
    const { section, identity } = thing
    const entry = entryOfUnmanaged(definition, thing)
    const taken = new Set(declaration.entries.map(({ address }) => address))
    const named = (values: Readonly<Record<string, unknown>>) => {
      const { projectId } = values
      const project = declaration.projectNames.get(String(projectId))
      return project === undefined ? values : { ...values, projectId: project }
    }
    const name = nameFor(definition, identity, taken)
    const known = pick(identity, namesOfUnmanaged(definition))
    return {
      declare:
        entry === undefined || name === undefined
          ? { text: 'deploymgmt adopt writes what events tell of it, as a comment' }
          : {
              text: `add ${name}: ${flow(named(withEnding(definition, entry)))} to ${section}${thenEnded(definition)}`,
            },
      leave: { text: `add ${flow({ section, ...named(known), reason: 'WHY' })} to unmanaged.ignore` },
    }
  }

/** Ids that were given one after the other differ at their ends. */
const nameFor = (
  { kind, section, identity: { key } }: KindDefinition,
  identity: UnmanagedThing['identity'],
  taken: ReadonlySet<string>,
): string | undefined => {
  const id = (identity[key] ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return [id.slice(-6), id]
    .map((end) => `${kind.replaceAll('_', '-')}-${end}`)
    .find((each) => !taken.has(`${section}.${each}`))
}

const withEnding = ({ silences }: KindDefinition, entry: Readonly<Record<string, unknown>>) =>
  isNone(silences) ? entry : { ...entry, onRemove: silences.ending }

/** Nothing deletes it; what is declared no more is ended. */
const thenEnded = ({ silences }: KindDefinition): string =>
  isNone(silences) ? '' : '; to end it, apply, take it out and apply again'
