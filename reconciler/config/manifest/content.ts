import { isDeepStrictEqual } from 'node:util'
import { checkManifest, isAdvice, type Facts, type Problem } from '@deploymgmt/provider/core/check'
import { oncePer, valueInBrackets, type KindDefinition, type Values } from '@deploymgmt/provider/core'
import { broughtBy } from '../evaluation/brought.ts'
import { lacksFiles, spellingIn, type Checked } from './checked.ts'
import { canBeSeen, quoted } from '../../text/display.ts'
import { lackingCall } from '../evaluation/lacking-calls.ts'
import { asOnlyItem, locate, pairOf } from '../tree/node.ts'
import { pathKey, type Path } from '../tree/path.ts'
import { OF_PROJECT } from '../evaluation/inherited.ts'
import {
  HEAD,
  missingHead,
  missingWords,
  showing,
  wordingOf,
  type Nearest,
  type Wording,
} from '../evaluation/wording.ts'

/** Checks every value of the manifest, and reports mistakes at their places. */
export const checkContent = (checked: Checked): void => {
  checkHead(checked)
  checkName(checked)
  const missing: Missing[] = []
  const said = new Set<string>()
  for (const problem of checkManifest(checked.kinds, checked.value as Values)) {
    const { within, code, facts } = problem
    if (code === 'missing-key') missing.push({ place: within.slice(0, -1), facts })
    else if (code === 'unknown-key') reportUnknown(checked, problem)
    else if (!isSaid(checked, problem, said)) reportAt(checked, problem)
  }
  reportMissing(checked, missing)
}

/** An unknown word in selectors is reported once, however many contain it: the service may have types of its own. */
const isSaid = ({ kinds }: Checked, { code, within, facts }: Problem, said: Set<string>): boolean => {
  if (code !== 'not-a-known-word' || !isCompared(kinds, within)) return false
  if (said.has(facts.value)) return true
  said.add(facts.value)
  return false
}

/** The keys that every manifest starts with. */
const checkHead = ({ root, value, complete, report }: Checked): void => {
  const { version } = value as Values
  const node = pairOf(root, 'version')?.value
  if (node !== undefined && version !== 1)
    report.add(node, {
      path: ['version'],
      message: 'this version of deploymgmt supports only version 1 of manifests',
      suggestion: version === '1' ? '1' : undefined,
      allowed: ['1'],
    })
  const names = HEAD.filter((name) => !root.pairs.has(name) && !report.wasMeant([], name))
  if (names.length === 0 || !complete) return
  report.add({ ...root, end: root.start + 1 }, { path: [], message: missingHead(names) })
}

/** Reports show the name, so some of it must be visible. An empty name is refused elsewhere. */
const checkName = ({ root, value, report }: Checked): void => {
  const { name } = value as Values
  const node = pairOf(root, 'name')?.value
  if (node !== undefined && typeof name === 'string' && name !== '' && !canBeSeen(name))
    report.add(node, { path: ['name'], message: 'the name has no character that can be seen' })
}

const reportAt = (checked: Checked, problem: Problem): void => {
  const { root, evaluator, report } = checked
  const path = problem.within
  const { node, key, depth } = locate(root, path)
  // The error was reported already, or the value has to wait.
  if (evaluator.isUnknown(node)) return
  // Other values in place of a list of projects have their own errors.
  if (problem.code === 'wrong-type' && path.at(-1) === 'projectIds' && report.hasErrorIn(path)) return
  if (lacksFiles(checked) && dependsOnProjects(problem, path)) return
  if (isSaidOfProject(checked, problem, path) || isOfTwoNames(checked, problem, path)) return
  const first =
    problem.code === 'listed-twice' ? locate(root, [...path.slice(0, -1), problem.facts.first]) : undefined
  const at = problem.code === 'not-a-name' ? (key ?? node) : node
  report.add(at, {
    severity: isAdvice(problem) && !makesEntries(problem, path) ? 'warning' : 'error',
    path,
    ...wordsAt(checked, problem, path),
    ...noProject(checked, problem, path),
    ...noneOfSeveral(checked, problem, path),
    also:
      first === undefined || first.node === node ? broughtBy(evaluator, node, path.slice(depth)) : first.node,
  })
}

/** Whether the value is right if projects have names, or if there are more of them. */
const dependsOnProjects = ({ code }: Problem, path: Path): boolean =>
  OF_PROJECT.has(fieldOf(path)) && (code === 'unusual-id' || code === 'too-few')

/** Reports a wrong project id only once, under `projects`, and not wherever the project is used. */
const isSaidOfProject = ({ root, value }: Checked, { code, facts }: Problem, path: Path): boolean => {
  const field = fieldOf(path)
  if (path[0] === 'projects' || !OF_PROJECT.has(field)) return false
  const projects = projectsIn(value)
  const lacksId = ([, project]: (typeof projects)[number]): boolean => (project?.['id'] ?? null) === null
  // Projects without an id are left out of every list.
  if (code === 'too-few') return locate(root, path).node.is !== 'list' && projects.some(lacksId)
  const isOne = code === 'wrong-type' && path.at(-1) !== 'projectIds'
  if (!isOne && code !== 'unusual-id' && code !== 'not-an-id' && code !== 'not-well-formed') return false
  return projects.some(
    ([name, project]) =>
      // In a stack, a name stands for nothing.
      (name === facts.value && root.source.dialect === undefined) ||
      [project?.['id'], project?.['orgId']].some((said) => isDeepStrictEqual(said, facts.value)),
  )
}

/** Two names for one project are reported at the names; a list may contain neither of them. */
const isOfTwoNames = ({ root, value }: Checked, { code, facts }: Problem, path: Path): boolean => {
  if (code !== 'listed-twice' || path.at(-2) !== 'projectIds') return false
  const names = projectsIn(value).filter(([, project]) => project?.['id'] === facts.value)
  const [first, second] = [facts.first, path.at(-1)].map((index) =>
    index === undefined ? undefined : locate(root, [...path.slice(0, -1), index]).node,
  )
  const isWrittenTwice =
    first !== second && first?.is === 'scalar' && second?.is === 'scalar' && first.text === second.text
  return names.length > 1 && !isWrittenTwice
}

type Projects = Readonly<Record<string, Values | null>>

const projectsIn = (value: unknown): readonly [string, Values | null][] => {
  const { projects } = value as { projects?: Projects | null }
  return projects === undefined || projects === null ? [] : projectsListed(projects)
}
/** Listed once, because each of many mistakes looks for its project. */
const projectsListed = oncePer((projects: Projects): readonly [string, Values | null][] =>
  Object.entries(projects),
)

const fieldOf = (path: Path): string => path.findLast((step) => typeof step === 'string') ?? ''

/** Each project makes an entry of its own, and two entries must not have the same address. */
const makesEntries = ({ code }: Problem, path: Path): boolean =>
  code === 'listed-twice' && path.at(-2) === 'projectIds'

/**
 * Reports an unknown project name. Among ignored things it would silently never match; elsewhere it is an error if
 * projects have names. The name of an organization can be anything that is not similar to a known name.
 */
const noProject = ({ root, value, secrets, report }: Checked, problem: Problem, path: Path) => {
  const field = fieldOf(path)
  const part = OF_PROJECT.get(field)
  if (problem.code !== 'unusual-id' || part === undefined || path[0] === 'projects') return {}
  const named = projectsIn(value)
  const text = problem.facts.value
  if (root.source.dialect !== undefined) {
    const meant = named.find(([name]) => name === text)?.[1]?.[part]
    return typeof meant === 'string' ? { suggestion: meant } : {}
  }
  const listed = new Set(listAt(value, path))
  const suggestion = report.nearest(
    text,
    named.flatMap(([name, project]) => (listed.has(name) || listed.has(project?.['id']) ? [] : name)),
  )
  const isMeant = part === 'id' ? named.length > 0 : suggestion !== undefined
  if (path[0] !== 'unmanaged' && !isMeant) return {}
  if (showing(locate(root, path).node, secrets) === 'hidden') return { severity: 'error' } as const
  // If no similar name is known, the project was probably removed from the manifest.
  const step =
    suggestion === undefined && typeof path.at(-1) === 'number'
      ? ': name it under projects, or take it out here'
      : ''
  return {
    severity: 'error',
    message: `there is no project ${quoted(text)}, and it does not look like an id of this API${step}`,
    suggestion,
  } as const
}

/** The other items of the list, which are not meant. */
const listAt = (value: unknown, path: Path): readonly unknown[] => {
  if (typeof path.at(-1) !== 'number') return []
  let at = value
  for (const step of path.slice(0, -1)) at = (at as Readonly<Record<string, unknown>> | undefined)?.[step]
  return Array.isArray(at) ? (at as unknown[]) : []
}

/** A text in place of a list of projects probably means `all`, or the name of one. */
const noneOfSeveral = ({ root, value, report }: Checked, problem: Problem, path: Path) => {
  if (path.at(-1) !== 'projectIds') return {}
  const allowed = ['[NAME]', 'all', '{ all: true, except: [NAME] }']
  if (problem.code === 'too-few') return { allowed }
  if (problem.code !== 'wrong-type') return {}
  const text = problem.facts.value
  const { node } = locate(root, path)
  if (typeof text !== 'string' || node.is !== 'scalar' || node.text !== text) return { allowed }
  const meant = report.nearest(text, ['all', ...projectsIn(value).map(([name]) => name)])
  if (meant === undefined) return { allowed }
  if (meant === 'all') return { allowed, suggestion: meant }
  return { allowed, suggestion: meant === text ? asOnlyItem(node) : `[${meant}]` }
}

const wordsAt = ({ root, kinds, secrets, report }: Checked, problem: Problem, path: Path): Wording => {
  const nearest: Nearest = (word, candidates) => report.nearest(word, candidates)
  const { node, depth } = locate(root, path)
  const item = node.is === 'scalar' && depth === path.length ? asOnlyItem(node) : undefined
  const saying = { nearest, isCompared: isCompared(kinds, path), asOnlyItem: item }
  const said = wordingOf(problem, { how: showing(node, secrets), ...saying })
  return problem.code === 'wrong-type' && problem.facts.type.is === 'object'
    ? { ...said, allowed: said.allowed?.map(spellingIn(root).field) }
    : said
}

/** Whether the value is never sent, such as a selector. */
const isCompared = (kinds: readonly KindDefinition[], path: Path): boolean =>
  path[0] === 'unmanaged' || kindOf(kinds, path.slice(0, 2))?.fields[path[2] ?? '']?.part === 'local'

const reportUnknown = (checked: Checked, problem: Extract<Problem, { code: 'unknown-key' }>): void => {
  const { root, evaluator, report } = checked
  const { within: path, facts } = problem
  const place = path.slice(0, -1)
  const { node } = locate(root, place)
  if (evaluator.isUnknown(node)) return
  const { message, ...more } = wordsAt(checked, problem, place)
  if (more.suggestion !== undefined) report.noteMeant(place, more.suggestion)
  const why =
    exceptWords(checked, place, facts.name) ??
    (more.suggestion === undefined ? whyImpossible(checked, place, facts.name) : undefined)
  report.add(pairOf(node, facts.name)?.key ?? node, {
    path,
    message: why === undefined ? message : `${message}: ${why}`,
    ...more,
  })
}

/** An exclusion has its own place: of projects within their list, and of a selector in a separate entry. */
const exceptWords = ({ kinds, value }: Checked, place: Path, name: string): string | undefined => {
  const kind = kindOf(kinds, place.slice(0, 2))
  if (kind === undefined || name !== 'except') return undefined
  if (place.length === 2) {
    const section = (value as Readonly<Record<string, Readonly<Record<string, Values>> | undefined>>)[
      kind.section
    ]
    const { except } = section?.[String(place[1])] ?? {}
    const names =
      Array.isArray(except) && except.length > 0
        ? except.map((each) => valueInBrackets(String(each)))
        : ['NAME']
    return `projects are left out in projectIds: { all: true, except: [${names.join(', ')}] }`
  }
  const by = kind.expand.members?.are === 'written' ? kind.expand.members.by : undefined
  return by === place[2]
    ? `what is to be otherwise is declared by its ${kind.identity.declaredAs} in an entry of its own, which beats a selector`
    : undefined
}

const whyImpossible = ({ kinds, value }: Checked, place: Path, name: string): string | undefined => {
  const kind = kindOf(kinds, place)
  if (kind === undefined) return undefined
  const { defaults, [kind.section]: section } = value as Readonly<Record<string, Values | undefined>>
  const entry = section?.[String(place[1])] as Values
  const whole = wholes.get(entry) ?? { ...defaults, ...entry }
  wholes.set(entry, whole)
  return lackingCall(kinds, kind, name, whole)
}
/** Entries with the defaults, made once for each: one may have thousands of keys that are wrong. */
const wholes = new WeakMap<Values, Values>()

/** The kind of the entry at a place; undefined if there is none. */
const kindOf = (kinds: readonly KindDefinition[], place: Path): KindDefinition | undefined =>
  place.length === 2 ? kinds.find(({ section }) => section === place[0]) : undefined

interface Missing {
  readonly place: Path
  readonly facts: Facts['missing-key']
}

/** All missing names of a place share one message. */
const reportMissing = ({ root, kinds, evaluator, report }: Checked, missing: readonly Missing[]): void => {
  for (const lacking of Map.groupBy(missing, ({ place }) => pathKey(place)).values()) {
    const place = lacking[0]?.place ?? []
    const left = lacking.filter(({ facts }) => !report.wasMeant(place, facts.name))
    const { node, key } = locate(root, place)
    if (left.length === 0 || evaluator.isUnknown(node)) continue
    const kind = kindOf(kinds, place)
    const order = Object.keys(kind?.fields ?? {})
    const names = left.map(({ facts }) => facts.name).toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
    const adoptedBy = left.some(({ facts }) => facts.toCreate) ? kind?.identity.declaredAs : undefined
    const { field } = spellingIn(root)
    const message = missingWords(names.map(field), adoptedBy === undefined ? undefined : field(adoptedBy))
    report.add(key ?? node, { path: place, message })
  }
}
