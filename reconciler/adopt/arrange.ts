import { elementKey } from '@deploymgmt/provider/core/check'
import { isNone, type KindDefinition, type Values } from '@deploymgmt/provider/core'
import { namesOf, type Changed, type Proposal, type Told } from '@deploymgmt/provider/engine'
import type { ManifestText, Written, WrittenTold } from './manifest-text.ts'

export interface ArrangeInput {
  readonly kinds: readonly KindDefinition[]
  readonly proposals: readonly Proposal[]
  readonly told: readonly Told[]
  /** Names of projects by id, in the order of the manifest. */
  readonly projects: ReadonlyMap<string, string>
  /** Names of a section that cannot be given again. */
  readonly taken: (section: string) => ReadonlySet<string>
  /** Whether what several projects have in common is one entry. */
  readonly policy: boolean
  /** Whether all projects were looked at. */
  readonly isWhole: boolean
  /** The public half of the calling key. */
  readonly ownKey: string | undefined
}

export type Arranged = Pick<ManifestText, 'sections' | 'groups' | 'entries' | 'told'>

/** What is there as entries with names, by section and project. */
export const arrange = (input: ArrangeInput): Arranged => {
  const { kinds, projects, proposals, policy } = input
  const entries = kinds.flatMap((kind) => {
    const own = proposals.filter(({ definition }) => definition === kind)
    return named(kind, policy ? inCommon(own, input) : own.map((each) => alone(each, projects)), input)
  })
  const sections = kinds.map(({ section }) => section)
  return { sections, groups: ['', ALL, SEVERAL, ...projects.values()], entries, told: toldIn(input, entries) }
}

/** Headings of what is in several projects. */
const ALL = 'all projects'
const SEVERAL = 'several projects'

/** A proposal that knows where it stands. */
interface Placed {
  readonly proposal: Proposal
  readonly scope: Values
  readonly group: string
  /** In front of its name. */
  readonly prefix: string
  readonly remarks: readonly string[]
  readonly changed?: Changed | undefined
  /** How many things it stands for. */
  readonly things: number
}

const alone = (proposal: Proposal, projects: ArrangeInput['projects']): Placed => {
  const { place, changed } = proposal
  const project = projectOf(place, projects)
  const scope = { ...place, ...(project === '' ? {} : { projectId: project }) }
  return {
    proposal,
    scope,
    group: project,
    prefix: projects.size > 1 ? project : '',
    remarks: remarksOf(proposal),
    changed,
    things: proposal.keys.length,
  }
}

const remarksOf = ({ remarks, keys }: Proposal): string[] => [
  ...remarks,
  ...(keys.length > 1 ? [`matches ${keys.length} in a project`] : []),
]

/** The name of the project that something is in; its id where it has none. */
const projectOf = ({ projectId }: Values, projects: ArrangeInput['projects']): string =>
  typeof projectId === 'string' ? (projects.get(projectId) ?? projectId) : ''

/** What more than one project has, once; what one project has alone stays as it is. */
const inCommon = (
  proposals: readonly Proposal[],
  { projects, isWhole }: Pick<ArrangeInput, 'projects' | 'isWhole'>,
): Placed[] =>
  [...Map.groupBy(proposals, ({ values }) => elementKey(values)).values()].flatMap((alike): Placed[] => {
    const [first] = alike
    const there = new Set(alike.map(({ place }) => projectOf(place, projects)))
    if (first === undefined || there.size < 2) return alike.map((each) => alone(each, projects))
    const names = [...projects.values()]
    const except = names.filter((name) => !there.has(name))
    // What is off in these is no rule for projects that are added later, nor what was found in some alone.
    const isForAll = isWhole && !alike.some(({ isOff }) => isOff) && except.length < there.size
    const group = isForAll ? ALL : SEVERAL
    const { projectId: _, ...place } = first.place
    const scope = { projectIds: isForAll ? allBut(except) : [...there], ...place }
    const remarks = remarksOf(first).filter((text) => alike.every((each) => remarksOf(each).includes(text)))
    const things = alike.reduce((sum, { keys }) => sum + keys.length, 0)
    return [{ proposal: first, scope, group, prefix: '', remarks, things }]
  })

const allBut = (except: readonly string[]): unknown => (except.length === 0 ? 'all' : { all: true, except })

const named = (kind: KindDefinition, placed: readonly Placed[], { taken }: ArrangeInput): Written[] => {
  const wanted = placed.map(({ prefix, proposal }) => ({
    prefix,
    names: proposal.names,
    otherwise: kind.title,
  }))
  const names = namesOf(wanted, new Set(taken(kind.section)))
  return placed.map(({ scope, group, remarks, changed, things, proposal }, index) => ({
    section: kind.section,
    group,
    name: names[index] ?? '',
    values: { ...scope, ...proposal.values },
    remarks,
    changed,
    things,
  }))
}

/** Whether it is the key that calls: a guard that spares the caller knows by which field to tell. */
const isNamedBy = ({ guards, witness }: KindDefinition, value: string, ownKey: string | undefined): boolean =>
  value === ownKey &&
  !isNone(witness) &&
  guards.some((each) => each.guard === 'keeps' && each.caller === witness.instance)

const toldIn = (
  { kinds, told, projects, taken, ownKey }: ArrangeInput,
  entries: readonly Written[],
): WrittenTold[] =>
  kinds.flatMap((kind) => {
    const own = told.filter(({ definition }) => definition === kind)
    const { section, identity } = kind
    const used = entries.filter((each) => each.section === section).map(({ name }) => name)
    const placed = own.map((each) => ({ each, project: projectOf(each.place, projects) }))
    const names = namesOf(
      placed.map(({ each, project }) => ({
        prefix: projects.size > 1 ? project : '',
        names: each.names,
        otherwise: kind.title,
      })),
      new Set([...taken(section), ...used]),
    )
    return placed.map(({ each, project }, index): WrittenTold => {
      const scope = { ...each.place, ...(project === '' ? {} : { projectId: project }) }
      const key = each.key === undefined ? {} : { [identity.declaredAs]: each.key }
      return {
        section,
        group: project,
        name: names[index] ?? '',
        values: { ...scope, ...key, ...each.values },
        told: each,
        isCaller: isNamedBy(kind, each.value, ownKey),
      }
    })
  })
