import { isInstant, type FieldType, type ManifestType } from '@deploymgmt/provider/core'
import { checkCidr } from './cidrs.ts'
import { typeWithin } from './evaluate.ts'
import { nearestInstant } from './instants.ts'
import { pairOf, type Node, type Path } from './node.ts'
import type { Checked } from './structure.ts'
import { inWords, showing, withArticle } from './wording.ts'

/** Checks what a schema cannot say: instants, addresses, doubles, and words outside an open set. */
export const checkContent = (checked: Checked): void => {
  const { root, value, parts } = checked
  for (const [name, part] of Object.entries(parts)) {
    const node = pairOf(root, name)?.value
    if (node !== undefined)
      check(checked, { node, value: (value as Record<string, unknown>)[name], path: [name] }, part.type)
  }
}

interface Place {
  readonly node: Node
  readonly value: unknown
  readonly path: Path
}

const check = (checked: Checked, place: Place, type: ManifestType | undefined): void => {
  const { node, value } = place
  if (type === undefined || checked.evaluator.isUnknown(node)) return
  if (type.is === 'map' || type.is === 'object') return checkMapping(checked, place, type)
  if (type.is === 'set' || type.is === 'list') return checkList(checked, place, type)
  if (typeof value === 'string') checkText(checked, place, value, type)
}

const checkMapping = (checked: Checked, { node, value, path }: Place, type: ManifestType): void => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [name, item] of Object.entries(value))
    // What an expression brought in has no place of its own.
    check(
      checked,
      { node: pairOf(node, name)?.value ?? node, value: item, path: [...path, name] },
      typeWithin(type, name),
    )
}

const checkList = (
  checked: Checked,
  { node, value, path }: Place,
  type: Extract<FieldType, { is: 'set' | 'list' }>,
): void => {
  if (!Array.isArray(value)) return
  const seen = new Map<string, Node>()
  for (const [index, item] of value.entries()) {
    const own = (node.is === 'list' ? node.items[index] : undefined) ?? node
    const place = { node: own, value: item as unknown, path: [...path, index] }
    check(checked, place, type.of)
    if (type.is === 'set') checkDouble(checked, place, seen)
  }
}

const checkDouble = (
  { report, evaluator, secrets }: Checked,
  { node, value, path }: Place,
  seen: Map<string, Node>,
): void => {
  if (evaluator.isUnknown(node)) return
  const key = canonical(value)
  const first = seen.get(key)
  if (first === undefined) seen.set(key, node)
  else
    report.add(node, {
      // Each project makes an entry of its own, and no two may have one address.
      severity: path.at(-2) === 'projectIds' ? 'error' : 'warning',
      path,
      message: `${inWords(value, showing(node, secrets))} is listed twice; once is enough`,
      also: first === node ? undefined : first,
    })
}

/** Equal mappings have equal texts, whatever the order of their keys. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  ) ?? ''

const checkText = (checked: Checked, { node, path }: Place, value: string, type: FieldType): void => {
  const { report, secrets } = checked
  if (type.is === 'id') checkProjectName(checked, { node, value, path })
  const what = inWords(value, showing(node, secrets))
  if (type.is === 'instant' && !isInstant(value))
    report.add(node, {
      path,
      message: `${what} is not an instant`,
      suggestion: nearestInstant(value),
      allowed: ['ISO 8601 with its offset, such as 2026-12-05T02:00:00Z'],
    })
  if (type.is === 'cidr') {
    const verdict = checkCidr(value)
    if (!verdict.ok)
      report.add(node, {
        path,
        message: `${what} ${verdict.message}`,
        suggestion: verdict.suggestion,
        allowed: ['an address such as 198.51.100.7', 'a block such as 192.0.2.0/24'],
      })
  }
  if (type.is === 'enum' && type.open && !type.values.includes(value))
    report.add(node, {
      severity: 'warning',
      path,
      message: `${what} is not ${withArticle(type.noun)} that is known here; it is sent as it is`,
      suggestion: report.nearest(value, type.values),
    })
}

/** What of a project each field holds. */
const OF_PROJECT: Readonly<Record<string, string>> = { projectId: 'id', projectIds: 'id', orgId: 'orgId' }

/** A project's name in the place of its id would be sent as it is, and nothing be found there. */
const checkProjectName = (checked: Checked, { node, value, path }: Place): void => {
  const { projects } = checked.value as { projects?: Record<string, { id?: unknown } | null> }
  const field = OF_PROJECT[String(path.findLast((part) => typeof part === 'string'))]
  if (field === undefined || typeof value !== 'string' || projects === undefined) return
  const isId = Object.values(projects).some((project) => project?.id === value)
  // A project cannot be told to refer to itself.
  const isOwn = path[0] === 'projects' && path[1] === value
  if (isId || isOwn || !Object.hasOwn(projects, value)) return
  checked.report.add(node, {
    path,
    message: `${JSON.stringify(value)} is the name of a project, and not ${field === 'id' ? 'its id' : 'the id of its organization'}`,
    // Quoted, as it has to be within braces.
    suggestion: `"\${projects.${value}.${field}}"`,
  })
}
