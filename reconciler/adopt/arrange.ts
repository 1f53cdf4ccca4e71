import { elementKey } from '@deploymgmt/provider/core/check'
import { boundOf, isNone, textOf, type KindDefinition, type Values } from '@deploymgmt/provider/core'
import { namesOf, type Proposal, type Told } from '@deploymgmt/provider/engine'
import { few } from '../text/few.ts'
import type { ChangedIn, ManifestText, Written, WrittenTold } from './manifest-text.ts'

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

export type Arranged = Pick<ManifestText, 'sections' | 'groups' | 'entries' | 'told' | 'whereAdded'>

/** What is there as entries with names, by section and project, each heading's in the order of their names. */
export const arrange = (input: ArrangeInput): Arranged => {
  const { kinds, projects, proposals, policy } = input
  const groups = ['', ALL, SEVERAL, ...projects.values()]
  const entries = kinds.flatMap((kind) => {
    const own = proposals.filter(({ definition }) => definition === kind)
    const placed = policy ? inCommon(own, input) : own.map((each) => alone(each, projects))
    return named(kind, placed, input).toSorted((a, b) => BY_NAME.compare(a.name, b.name))
  })
  const sections = kinds.map(({ section }) => section)
  const whereAdded = Object.fromEntries(
    kinds.flatMap(({ section, adoption }) =>
      adoption.whereAdded === undefined ? [] : [[section, adoption.whereAdded]],
    ),
  )
  return { sections, groups, entries, told: toldIn(input, entries), whereAdded }
}

/** Headings of what is in several projects. */
const ALL = 'all projects'
const SEVERAL = 'several projects'

const BY_NAME = new Intl.Collator('en', { numeric: true })

/** A proposal that knows where it stands. */
interface Placed {
  readonly proposal: Proposal
  readonly scope: Values
  readonly group: string
  /** In front of its name. */
  readonly prefix: string
  readonly remarks: readonly string[]
  /** Whether they leave something out. */
  readonly isCut: boolean
  readonly changes: readonly ChangedIn[]
  /** How many things it stands for, and in how many projects. */
  readonly things: number
  readonly places: number
}

const alone = (proposal: Proposal, projects: ArrangeInput['projects']): Placed => {
  const { place } = proposal
  const project = projectOf(place, projects)
  const scope = { ...place, ...(project === '' ? {} : { projectId: project }) }
  return {
    proposal,
    scope,
    group: project,
    prefix: projects.size > 1 ? project : '',
    ...remarksOn([proposal], projects),
    changes: changesIn([proposal], projects),
    things: proposal.keys.length,
    places: 1,
  }
}

type Remarked = Pick<Placed, 'remarks' | 'isCut'>
const NO_REMARKS: Remarked = { remarks: [], isCut: false }

/** The name of the project that something is in; its id where it has none. */
const projectOf = ({ projectId }: Values, projects: ArrangeInput['projects']): string =>
  typeof projectId === 'string' ? (projects.get(projectId) ?? projectId) : ''

/** What is said of what is declared alike: what holds in some projects alone says so, of a handful. */
const remarksOn = (alike: readonly Proposal[], projects: ArrangeInput['projects']): Remarked => {
  const told = [...new Set(alike.flatMap(({ remarks }) => remarks))].map((text) => ({
    text,
    where: alike.filter(({ remarks }) => remarks.includes(text)),
  }))
  const [everywhere, somewhere] = [true, false].map((is) =>
    told.filter(({ where }) => (where.length === alike.length) === is),
  )
  const mostFirst = (somewhere ?? []).toSorted((a, b) => b.where.length - a.where.length)
  const more = mostFirst.length - FEW
  const counts = alike.map(({ keys }) => keys.length)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  const range = least === most ? String(most) : `${least} to ${most}`
  return {
    remarks: [
      ...(everywhere ?? []).map(({ text }) => text),
      ...mostFirst
        .slice(0, FEW)
        .map(({ text, where }) => `${text} in ${few(where.map(({ place }) => projectOf(place, projects)))}`),
      ...(more > 0 ? [`and ${more} more such`] : []),
      ...(most > 1 ? [`matches ${range} in ${alike.length > 1 ? 'each' : 'the'} project`] : []),
    ],
    isCut: more > 0 || mostFirst.some(({ where }) => where.length > FEW),
  }
}

const FEW = 3

/** Why projects are left out of what is for all others; which of them, where that is not what the entry names. */
const exceptOf = ({ otherPlaces }: Proposal, projects: ArrangeInput['projects']): Remarked => {
  const whys = [...Map.groupBy(otherPlaces, whyExcepted)]
  const [first] = whys
  if (first === undefined) return NO_REMARKS
  if (whys.length === 1) return { remarks: [`except where ${sayExcepted(first[0])}`], isCut: false }
  const each = whys.map(([why, of]) => `${why} in ${few(of.map(({ place }) => projectOf(place, projects)))}`)
  return { remarks: [`except: ${each.join('; ')}`], isCut: whys.some(([, of]) => of.length > FEW) }
}

const NOTHING = 'none'

const whyExcepted = ({ found, off, isKnown }: Proposal['otherPlaces'][number]): string => {
  if (found === 0) return NOTHING
  if (isKnown) return 'already declared or left alone'
  if (off === found) return 'off'
  return off === 0 ? 'declared apart' : `${off} of ${found} off`
}

const sayExcepted = (why: string): string => {
  if (why === NOTHING) return 'there is none'
  return /^\d/.test(why) ? why.replace(' off', ' are off') : `it is ${why}`
}

const withExcept = (own: Remarked, except: Remarked): Remarked => ({
  remarks: [...own.remarks, ...except.remarks],
  isCut: own.isCut || except.isCut,
})

const changesIn = (alike: readonly Proposal[], projects: ArrangeInput['projects']): ChangedIn[] =>
  alike.flatMap(({ place, changes }) =>
    changes.map((each) => ({ ...each, project: projectOf(place, projects) })),
  )

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
    const { projectId: _, ...place } = first.place
    return [
      {
        proposal: first,
        scope: { projectIds: isForAll ? allBut(except) : names.filter((name) => there.has(name)), ...place },
        group: isForAll ? ALL : SEVERAL,
        prefix: '',
        ...withExcept(remarksOn(alike, projects), isForAll ? exceptOf(first, projects) : NO_REMARKS),
        changes: changesIn(alike, projects),
        things: alike.reduce((sum, { keys }) => sum + keys.length, 0),
        places: alike.length,
      },
    ]
  })

const allBut = (except: readonly string[]): unknown => (except.length === 0 ? 'all' : { all: true, except })

/** What holds in all projects has the plain name, and what several have otherwise is called an exception. */
const named = (kind: KindDefinition, placed: readonly Placed[], { taken }: ArrangeInput): Written[] => {
  const forAll = placed.filter(({ group }) => group === ALL)
  const rules = new Set(forAll.map(({ proposal }) => proposal.names[0]))
  const ordered = [...forAll, ...placed.filter(({ group }) => group !== ALL)]
  const wanted = ordered.map(({ prefix, group, proposal }) => {
    const { names } = proposal
    const more =
      group === SEVERAL && rules.has(names[0])
        ? [`${names.at(-1) ?? ''} exceptions`]
        : boundName(kind, proposal)
    return { prefix, names: [...names, ...more], otherwise: kind.title }
  })
  const chosen = namesOf(wanted, new Set(taken(kind.section)))
  return ordered.map(({ scope, group, remarks, isCut, changes, things, places, proposal }, index) => ({
    section: kind.section,
    group,
    name: chosen[index] ?? '',
    values: { ...scope, ...proposal.values },
    remarks,
    isCut,
    changes,
    things,
    places,
    forAll: group === ALL,
    bound: boundIn(kind, proposal.values),
    selects: proposal.values[kind.expand.members?.by ?? ''] !== undefined,
  }))
}

/** Until when a selector looks, which no person has chosen. */
const boundIn = (kind: KindDefinition, values: Values): Written['bound'] => {
  const by = boundOf(kind, values)
  const until = by === undefined ? '' : String(selectorOf(kind, values)?.[by])
  const unit = until.endsWith(MIDNIGHT) ? 'day' : 'second'
  return by === undefined
    ? undefined
    : { by, says: `${by} is the ${unit} after the newest ${kind.title.toLowerCase()} was made` }
}
const MIDNIGHT = 'T00:00:00Z'

const selectorOf = ({ expand: { members } }: KindDefinition, values: Values): Values | undefined =>
  values[members?.by ?? ''] as Values | undefined

/** What tells a selector that is kept to what is there by now from one that is not. */
const boundName = (kind: KindDefinition, { values, names }: Proposal): string[] => {
  const by = boundOf(kind, values)
  const until = String(selectorOf(kind, values)?.[by ?? ''])
  return by === undefined ? [] : [`${names.at(-1) ?? ''} before ${until.slice(0, DATE)}`]
}
const DATE = '2026-03-03'.length

/** Whether it is the key that calls: a guard that spares the caller knows by which field to tell. */
const isNamedBy = ({ guards, witness }: KindDefinition, value: string, ownKey: string | undefined): boolean =>
  value === ownKey &&
  !isNone(witness) &&
  guards.some((each) => each.guard === 'keeps' && each.caller === witness.instance)

/** What is for some time stands in the order in which it begins, and so do the numbers of names that are alike. */
const beginOf = ({ definition: { silences }, values }: Told): string =>
  isNone(silences) ? '' : textOf(values[silences.from] ?? '')

const toldIn = (
  { kinds, told, projects, taken, ownKey }: ArrangeInput,
  entries: readonly Written[],
): WrittenTold[] =>
  kinds.flatMap((kind) => {
    const own = told
      .filter(({ definition }) => definition === kind)
      .toSorted((a, b) => BY_NAME.compare(beginOf(a), beginOf(b)) || BY_NAME.compare(a.value, b.value))
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
