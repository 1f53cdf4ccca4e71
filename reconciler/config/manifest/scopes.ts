import type { Among, KindDefinition, Values } from '@deploymgmt/provider/core'
import { lacksFiles, type Checked } from './checked.ts'
import { inheritedBy, type Inherited } from '../evaluation/inherited.ts'
import { pairOf, type MapNode, type Node, type Pair } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import type { Remark } from '../tree/report.ts'
import { missingWords } from '../evaluation/wording.ts'
import { exceptIn, namesById, placeToGive } from './project-names.ts'

/** The place of an entry, and the key behind its name in the address. */
export interface Scope {
  readonly scope: Values
  readonly key: string
  readonly among?: Among
}

interface Scoped {
  readonly kind: KindDefinition
  readonly pair: Pair & { readonly value: MapNode }
  readonly path: Path
  readonly declared: Values
  /** The values of `defaults`. */
  readonly inherited: Values
}

/** The place of an entry: declared, inherited, or each of its projects. */
export const scopesOf = (checked: Checked, entry: Scoped): Scope[] => {
  const { kind, pair, path, declared, inherited } = entry
  const wanted = kind.identity.scope
  const given: Record<string, unknown> = {}
  for (const name of wanted)
    if (declared[name] === undefined && inherited[name] !== undefined) given[name] = inherited[name]
  const alone = [{ scope: given, key: '' }]
  const several = namesOneProject(entry) ? undefined : severalOf(checked, entry)
  if (several !== undefined) {
    refuseBoth(checked, pair.value, path)
    const { projects, said } = several
    if (Array.isArray(projects)) return eachProject(checked, entry, { given, projects, said })
    // An invalid list makes no entries, but everything else in the entry is still checked.
    if (wanted.includes('projectId') && checked.report.hasErrorIn(said.path)) return alone
  }
  refuseMissing(checked, entry, given)
  return alone
}

/** Most entries do, and nothing else has to be looked at. */
const namesOneProject = ({ kind, pair: { value }, declared }: Scoped): boolean =>
  kind.identity.scope.every((name) => name === 'projectId' && declared[name] !== undefined) &&
  pairOf(value, 'projectId') !== undefined &&
  pairOf(value, 'projectIds') === undefined

/** The value of `projectIds`, which is a list unless it is wrong, and where it is declared. */
const severalOf = (
  { root, evaluator }: Checked,
  { kind, pair: { value }, path, declared, inherited }: Scoped,
): { readonly projects: unknown; readonly said: Inherited } | undefined => {
  const own = pairOf(value, 'projectIds')
  if (own !== undefined)
    return { projects: declared['projectIds'], said: { node: own.value, path: [...path, 'projectIds'] } }
  const said = inheritedBy({ root, valueAt: evaluator.valueAt }, kind, value, 'projectIds')
  return said && { projects: inherited['projectIds'], said }
}

const refuseMissing = (checked: Checked, { kind, pair, path, declared }: Scoped, given: Values): void => {
  const { root, report } = checked
  if (lacksFiles(checked)) return
  for (const name of kind.identity.scope) {
    if (declared[name] !== undefined || given[name] !== undefined) continue
    // A misspelt key is reported at its place.
    if (report.wasMeant(path, name) || report.wasMeant(path, 'projectIds')) continue
    report.add(pair.key, { path, ...toGive(root, name) })
  }
}

/** A Terraform configuration has no defaults. */
const toGive = (root: Node, name: string): Pick<Remark, 'message' | 'suggestion' | 'allowed'> => ({
  message:
    root.source.dialect === undefined
      ? `${name} is missing: give it here or in defaults`
      : missingWords([root.source.dialect.spelling.field(name)]),
  ...placeToGive(root, name),
})

/** Of an entry, or of `defaults`. */
export const refuseBoth = ({ report }: Checked, node: Node | undefined, path: Path): void => {
  const [one, several] = [pairOf(node, 'projectId'), pairOf(node, 'projectIds')]
  if (one !== undefined && several !== undefined)
    report.add(several.key, {
      path: [...path, 'projectIds'],
      message: 'give either projectId or projectIds, not both',
      also: one.key,
    })
}

interface Several {
  readonly given: Values
  readonly projects: readonly unknown[]
  /** Where they are named. */
  readonly said: Inherited
}

/** An object among the projects is refused by its type; what it has may be a `toString` that is no function. */
const wordOf = (project: unknown): string =>
  typeof project === 'object' && project !== null ? '' : String(project)

const eachProject = (
  checked: Checked,
  { kind, pair, path }: Scoped,
  { given, projects: named, said }: Several,
): Scope[] => {
  const { report } = checked
  const projects = [...new Set(named)]
  const name = kind.identity.declaredAs
  const key = kind.fields[name]?.type.is === 'id' ? pairOf(pair.value, name)?.key : undefined
  if (key !== undefined && projects.length > 1)
    report.add(key, {
      path: [...path, name],
      message: 'the id names one thing in one project, but the entry stands for several: give its projectId',
    })
  const except = exceptIn(said.node)
  const names = namesById(checked)
  return projects.map((project) => ({
    scope: { ...given, projectId: project },
    key: `[${wordOf(project)}]`,
    // Excluding the only project of a list would leave nothing.
    ...(except === undefined && projects.length === 1
      ? {}
      : {
          among: {
            field: 'projectIds',
            place: names.get(project) ?? wordOf(project),
            ...(except === undefined ? {} : { except }),
            of: projects.length,
          },
        }),
  }))
}
