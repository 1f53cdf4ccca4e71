import type { Checked } from './checked.ts'
import { locate } from './node.ts'
import type { Path } from './path.ts'

/** What of a project each field holds. */
const OF_PROJECT: Readonly<Record<string, string>> = { projectId: 'id', projectIds: 'id', orgId: 'orgId' }

/** Refuses a project's name where an id is meant: it would be sent as it is, and nothing be found. */
export const refuseProjectNames = (checked: Checked): void => {
  const { projects } = checked.value as { projects?: Projects }
  if (projects === undefined) return
  const ids = new Set(Object.values(projects).map((project) => project?.id))
  const visit = (value: unknown, path: Path): void => {
    if (typeof value === 'string') refuse(checked, value, path, { projects, ids })
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value))
        visit(item, [...path, Array.isArray(value) ? Number(name) : name])
  }
  visit(checked.value, [])
}

type Projects = Readonly<Record<string, { readonly id?: unknown } | null>>

const refuse = (
  { root, evaluator, report }: Checked,
  value: string,
  path: Path,
  { projects, ids }: { projects: Projects; ids: ReadonlySet<unknown> },
): void => {
  const field = OF_PROJECT[String(path.findLast((part) => typeof part === 'string'))]
  if (field === undefined || ids.has(value) || !Object.hasOwn(projects, value)) return
  // A project cannot be told to refer to itself.
  if (path[0] === 'projects' && path[1] === value) return
  const { node } = locate(root, path)
  if (evaluator.isUnknown(node)) return
  report.add(node, {
    path,
    message: `${JSON.stringify(value)} is the name of a project, and not ${field === 'id' ? 'its id' : 'the id of its organization'}`,
    // Quoted, as it has to be within braces.
    suggestion: `"\${projects.${value}.${field}}"`,
  })
}
