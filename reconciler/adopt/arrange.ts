import { elementKey } from '@deploymgmt/provider/core/check'
import { boundOf, isNone, textOf, type KindDefinition, type Values } from '@deploymgmt/provider/core'
import { namesOf, type Proposal, type EventThing } from '@deploymgmt/provider/engine'
import { few } from '../text/few.ts'
import type { ChangedIn, ManifestText, Written, WrittenTold } from './manifest-text.ts'

interface ArrangeInput {
  readonly kinds: readonly KindDefinition[]
  readonly proposals: readonly Proposal[]
  readonly told: readonly EventThing[]
  /** Names of projects by id, in the order of the manifest. */
  readonly projects: ReadonlyMap<string, string>
  /** Names that are taken in a section. */
  readonly taken: (section: string) => ReadonlySet<string>
  /** Whether one entry covers what several projects have in common. */
  readonly policy: boolean
  /** Whether all projects were read. */
  readonly isWhole: boolean
  /** The public half of the calling key. */
  readonly ownKey: string | undefined
}

export type Arranged = Pick<ManifestText, 'sections' | 'groups' | 'entries' | 'told' | 'whereAdded'>

/**
 * Arranges existing things as named entries, by section and project; the entries under each heading are sorted by
 * name.
 */
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

/** The heading for things in several projects. */
const ALL = 'all projects'
const SEVERAL = 'several projects'

const BY_NAME = new Intl.Collator('en', { numeric: true })

/** A proposal with its project. */
interface Placed {
  readonly proposal: Proposal
  readonly scope: Values
  readonly group: string
  /** Put in front of its name. */
  readonly prefix: string
  readonly remarks: readonly string[]
  /** Whether the remarks were shortened. */
  readonly isCut: boolean
  readonly changes: readonly ChangedIn[]
  /** The number of things that it stands for, and of their projects. */
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

/** The name of a thing's project; its id if it has no name. */
const projectOf = ({ projectId }: Values, projects: ArrangeInput['projects']): string =>
  typeof projectId === 'string' ? (projects.get(projectId) ?? projectId) : ''

/** Remarks on equal declarations: those that apply to some projects only name a few of them. */
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

/** Why projects are excluded from an entry for all others, and which, if the entry does not name them. */
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

/** Combines what several projects have in common; what only one project has stays as it is. */
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
    // Things that are off, and things found in some projects only, are no rule for projects that are added later.
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

/** What applies to all projects gets the plain name; a deviation in several projects is named as an exception. */
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

/** The time limit of a selector, which no person has chosen. */
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

/** A name part for a selector that is limited to present things. */
const boundName = (kind: KindDefinition, { values, names }: Proposal): string[] => {
  const by = boundOf(kind, values)
  const until = String(selectorOf(kind, values)?.[by ?? ''])
  return by === undefined ? [] : [`${names.at(-1) ?? ''} before ${until.slice(0, DATE)}`]
}
const DATE = '2026-03-03'.length

/** Whether this is the calling key: a guard that protects the caller has the field that tells. */
const isNamedBy = ({ guards, witness }: KindDefinition, value: string, ownKey: string | undefined): boolean =>
  value === ownKey &&
  !isNone(witness) &&
  guards.some((each) => each.guard === 'keeps' && each.caller === witness.instance)

/** Things with a limited duration are ordered by their start, and so are the numbers of equal names. */
const beginOf = ({ definition: { silences }, values }: EventThing): string =>
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
