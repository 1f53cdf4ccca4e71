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
  const own = pairOf(pair.value, 'projectIds')
  // Most entries name their project.
  const isWhole = wanted.length === 1 && declared[wanted[0] ?? ''] !== undefined
  if (own === undefined && isWhole && pairOf(pair.value, 'projectId') !== undefined)
    return [{ scope: {}, key: '' }]
  const said =
    own === undefined
      ? inheritedBy(checked.root, kind, pair.value, 'projectIds', checked.evaluator.valueAt)
      : { node: own.value, path: [...path, 'projectIds'] }
  if (said !== undefined) {
    const [several, at] =
      own === undefined ? [inherited['projectIds'], ['defaults']] : [declared['projectIds'], path]
    refuseBoth(checked, pair.value, path)
    if (Array.isArray(several)) return eachProject(checked, entry, { given, several, said })
    // An invalid list makes no entries, but everything else in the entry is still checked.
    if (wanted.includes('projectId') && checked.report.hasErrorIn([...at, 'projectIds']))
      return [{ scope: given, key: '' }]
  }
  const missing = lacksFiles(checked)
    ? []
    : wanted.filter(
        (name) =>
          declared[name] === undefined &&
          given[name] === undefined &&
          // A misspelt key is reported at its place.
          ![name, 'projectIds'].some((each) => checked.report.wasMeant(path, each)),
      )
  for (const name of missing)
    checked.report.add(pair.key, {
      path,
      ...toGive(checked.root, name),
    })
  return [{ scope: given, key: '' }]
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
  readonly several: readonly unknown[]
  /** Where they are named. */
  readonly said: Inherited
}

/** An object among the projects is refused by its type; what it has may be a `toString` that is no function. */
const wordOf = (project: unknown): string =>
  typeof project === 'object' && project !== null ? '' : String(project)

const eachProject = (
  checked: Checked,
  { kind, pair, path }: Scoped,
  { given, several, said }: Several,
): Scope[] => {
  const { report } = checked
  const projects = [...new Set(several)]
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
