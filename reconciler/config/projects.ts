import { isUsualId } from '@deploymgmt/provider/core/check'
import { quoted } from '../text/display.ts'
import { pairOf, type Node } from './node.ts'
import type { Checked } from './checked.ts'

export interface Projects {
  /** Organization by project id. */
  readonly organizations: ReadonlyMap<string, string>
  /** Name by project id. */
  readonly names: ReadonlyMap<string, string>
}

/** What the manifest tells of projects; two names for one project are an error. */
export const projectsOf = ({ root, value, report, evaluator }: Checked): Projects => {
  const organizations = new Map<string, string>()
  const names = new Map<string, string>()
  const { projects, defaults } = value as {
    projects?: Record<string, { id?: unknown; orgId?: unknown } | null>
    defaults?: { orgId?: unknown }
  }
  const nodes = new Map<string, Node>()
  for (const [name, project] of Object.entries(projects ?? {})) {
    refuseAmbiguous(name, { root, report })
    const { id, orgId = defaults?.orgId } = project ?? {}
    const node = pairOf(pairOf(pairOf(root, 'projects')?.value, name)?.value, 'id')?.value
    if (typeof id !== 'string' || node === undefined || evaluator.isUnknown(node)) continue
    const path = ['projects', name, 'id']
    const first = nodes.get(id)
    if (first !== undefined)
      report.add(node, { path, message: `projects.${names.get(id) ?? ''} has this id already`, also: first })
    nodes.set(id, node)
    names.set(id, name)
    if (typeof orgId === 'string') organizations.set(id, orgId)
  }
  return { organizations, names }
}

/** A name stands wherever an id can, and `all` for every project: neither may mean something else. */
const refuseAmbiguous = (name: string, { root, report }: Pick<Checked, 'root' | 'report'>): void => {
  if (name !== 'all' && !isUsualId(name)) return
  const pair = pairOf(pairOf(root, 'projects')?.value, name)
  const why =
    name === 'all' ? 'stands for every project' : 'looks like an id, and could be that of another one'
  if (pair !== undefined)
    report.add(pair.key, {
      path: ['projects', name],
      message: `${quoted(name)} cannot be the name of a project: it ${why}`,
    })
}
