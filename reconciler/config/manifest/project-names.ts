import { inBrackets, isObject } from '@deploymgmt/provider/core'
import { quoted } from '../../text/display.ts'
import { lacksFiles, type Checked } from './checked.ts'
import { meantBy, OF_PROJECT, saidOf } from '../evaluation/inherited.ts'
import { childrenOf, locate, pairOf, type Node } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import type { Remark } from '../tree/report.ts'

/** More are not listed in a message. */
const MOST_NAMES = 20

/** What to add if a project or an organization is missing: the line, or the available names. */
export const placeToGive = (root: Node, field = ''): Pick<Remark, 'suggestion' | 'allowed'> => {
  // Terraform, which stacks must also work with, only takes ids.
  if (root.source.dialect !== undefined) return {}
  const part = OF_PROJECT.get(field)
  const projects = pairOf(root, 'projects')?.value
  // A project that declares no organization has none to give.
  const names =
    part !== undefined && projects?.is === 'map'
      ? [...projects.pairs].flatMap(([name, { value }]) => (pairOf(value, part) === undefined ? [] : [name]))
      : []
  if (names.length === 0 || names.length > MOST_NAMES) return {}
  return names.length === 1 ? { suggestion: `${field}: ${names[0]}` } : { allowed: names }
}

/** The names of a manifest's projects, and what they stand for. */
interface Named {
  readonly projects: Readonly<Record<string, { readonly id?: unknown } | null>>
  readonly checked: Checked
  /** By property, then by name: what the name stands for. A map, because names are in a great many entries. */
  readonly known: Readonly<Record<'id' | 'orgId', Map<string, unknown>>>
}

/**
 * The values of a manifest with ids in place of project names: `projectId: payments`, and in `orgId` the
 * organization of that project; `projectIds: all` means every project, and `{ all: true, except: [NAME] }` all
 * others.
 */
export const withProjectIds = (checked: Checked): unknown => {
  // Stacks have only ids.
  if (checked.root.source.dialect !== undefined) return checked.value
  const { projects = {} } = (checked.value ?? {}) as { projects?: Named['projects'] | null }
  const known = { id: new Map<string, unknown>(), orgId: new Map<string, unknown>() }
  return resolved(checked.value, new Steps(), {
    projects: isObject(projects) ? projects : {},
    checked,
    known,
  })
}

/** The path to a value, as one mutable list, because few values need their path. */
class Steps {
  readonly #steps: (string | number)[] = []

  get path(): Path {
    return [...this.#steps]
  }
  get first(): string | number | undefined {
    return this.#steps[0]
  }
  get last(): string | number | undefined {
    return this.#steps.at(-1)
  }
  get lastName(): string | undefined {
    const { last } = this
    return typeof last === 'string' ? last : this.#steps.findLast((step) => typeof step === 'string')
  }
  get length(): number {
    return this.#steps.length
  }
  push(step: string | number): void {
    this.#steps.push(step)
  }
  pop(): void {
    this.#steps.pop()
  }
}

/** Returns the value itself if nothing in it has to be replaced. */
const resolved = (value: unknown, steps: Steps, named: Named): unknown => {
  if (typeof value === 'string' && steps.last !== 'projectIds') return idOf(value, steps, named)
  if (!Array.isArray(value) && isSeveral(steps)) return severalOf(value, steps.path, named)
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => resolvedAt(index, item, steps, named))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isObject(value)) return value
  let made: Record<string, unknown> | undefined
  for (const name of Object.keys(value)) {
    const given = value[name]
    // Most values are plain, and need no replacement.
    if (typeof given !== 'object' && !OF_PROJECT.has(name)) continue
    const item = resolvedAt(name, given, steps, named)
    if (item === given) continue
    made ??= { ...value }
    made[name] = item
  }
  return made ?? value
}

const resolvedAt = (step: string | number, value: unknown, steps: Steps, named: Named): unknown => {
  steps.push(step)
  const found = resolved(value, steps, named)
  steps.pop()
  return found
}

/** Within an entry, or within `defaults`. */
const isSeveral = ({ last, length, first }: Steps): boolean =>
  last === 'projectIds' && length === (first === 'defaults' ? 2 : 3)

const idOf = (value: string, steps: Steps, { checked, known }: Named): unknown => {
  const { root, evaluator, report } = checked
  const meant = steps.first === 'projects' ? undefined : meantBy(root, steps.lastName ?? '', value)
  if (meant === undefined) return value
  if (evaluator.hasUnknown && evaluator.isUnknown(locate(root, steps.path).node)) return value
  if (known[meant.part].has(value)) return known[meant.part].get(value)
  const said = saidOf({ root, valueAt: evaluator.valueAt }, meant.name, meant.part)
  if (said !== undefined) {
    const id = evaluator.valueAt(said)
    if (!evaluator.hasUnknown) known[meant.part].set(value, id)
    return id
  }
  const { path } = steps
  // A project without an id is reported at its place.
  if (meant.part === 'orgId' && !lacksFiles(checked))
    report.add(locate(root, path).node, {
      path,
      message: `projects.${value} declares no orgId; give it there`,
    })
  return value
}

/** The exclusions of `projectIds`, ready to be pasted into brackets; undefined if it is a list or a reference. */
export const exceptIn = (node: Node): readonly string[] | undefined => {
  if (node.is === 'scalar') return node.text === 'all' ? [] : undefined
  if (node.is === 'list') return undefined
  const except = pairOf(node, 'except')?.value
  return except === undefined
    ? []
    : childrenOf(except).map((each) => inBrackets(each.is === 'scalar' ? each.text : ''))
}

/** The names of projects, by id. */
export const namesById = ({ value }: Checked): ReadonlyMap<unknown, string> => {
  const { projects } = (value ?? {}) as { projects?: Named['projects'] | null }
  return new Map(Object.entries(projects ?? {}).map(([name, project]) => [project?.id, name]))
}

const FORMS = 'it is a list of projects, all, or { all: true, except: [NAME] }'

/** YAML reads a name of digits as a number. */
const namesIn = (given: readonly unknown[], path: Path, { root, evaluator }: Checked): readonly unknown[] =>
  given.map((name, index) => {
    const at = [...path, index]
    return typeof name === 'number' ? evaluator.valueOf(locate(root, at).node, { is: 'string' }, at) : name
  })

/** The ids for a value in place of a list of projects; an invalid value stays, and is refused later. */
const severalOf = (value: unknown, path: Path, named: Named): unknown => {
  const { report, root, evaluator } = named.checked
  const { node } = locate(root, path)
  if (value !== 'all' && !isObject(value)) return value
  if (evaluator.isUnknown(node)) return value
  const refuse = (message: string, at: Path = path, more: Partial<Remark> = {}): unknown => {
    report.add(locate(root, at).node, { path: at, message, ...more })
    return value
  }
  const parts: Record<string, unknown> = value === 'all' ? { all: true } : value
  const { all, except: given = [], ...others } = parts
  if (all !== true || !Array.isArray(given) || Object.keys(others).length > 0) return refuse(FORMS)
  const isWhole = !lacksFiles(named.checked)
  if (isWhole && Object.keys(named.projects).length === 0)
    return refuse('all stands for every project of `projects`, and there is none')
  const ids = new Set(Object.values(named.projects).map((project) => project?.id))
  // Without all files, a project of any name may be declared in another one.
  const isKnown = (name: string): boolean => !isWhole || Object.hasOwn(named.projects, name) || ids.has(name)
  const except = namesIn(given, [...path, 'except'], named.checked)
  for (const [index, name] of except.entries())
    if (typeof name !== 'string' || !isKnown(name)) {
      const { message, ...more } = whyNotExcluded(name, named)
      refuse(message, [...path, 'except', index], more)
    }
  const left = idsExcept(except, named)
  // A project without an id has an error of its own.
  const hasAllIds = [...ids].every((id) => typeof id === 'string')
  const isNone = isWhole && left.length === 0 && hasAllIds && except.length > 0
  return isNone ? refuse('except leaves no project', [...path, 'except']) : left
}

const whyNotExcluded = (
  name: unknown,
  { projects, checked }: Named,
): Pick<Remark, 'message' | 'suggestion' | 'allowed'> => {
  const names = Object.keys(projects)
  const allowed = names.length > 0 && names.length <= MOST_NAMES ? names : undefined
  return typeof name === 'string'
    ? {
        message: `there is no project ${quoted(name)}`,
        suggestion: checked.report.nearest(name, names),
        allowed,
      }
    : { message: 'it is not the name or id of a project', suggestion: undefined, allowed }
}

/** The ids of all projects that are not excluded by their names or their ids. */
const idsExcept = (except: readonly unknown[], { projects }: Named): unknown[] => {
  const leftOut = new Set(except)
  return Object.entries(projects).flatMap(([name, project]) =>
    leftOut.has(name) || leftOut.has(project?.id) || (project?.id ?? null) === null ? [] : [project?.id],
  )
}
