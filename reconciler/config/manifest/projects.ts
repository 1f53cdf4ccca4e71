import { isUsualId } from '@deploymgmt/provider/core/check'
import { quoted } from '../../text/display.ts'
import { isProject } from '../evaluation/inherited.ts'
import { locate, nodeAt, pairOf, type Node } from '../tree/node.ts'
import { placeOf, type Checked } from './checked.ts'

export interface Projects {
  /** Organization by project id. */
  readonly organizations: ReadonlyMap<string, string>
  /** Name by project id. */
  readonly names: ReadonlyMap<string, string>
}

/** The projects of a manifest; two names for one project are an error. */
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
    refuseNames(name, project ?? {}, { root, evaluator, report })
    const { id, orgId = defaults?.orgId } = project ?? {}
    const node = nodeAt(root, 'projects', name, 'id')
    if (typeof id !== 'string' || node === undefined || evaluator.isUnknown(node)) continue
    const path = ['projects', name, 'id']
    const first = nodes.get(id)
    if (first !== undefined)
      report.add(node, {
        path,
        message: `${placeOf(['projects', names.get(id) ?? ''], root)} already has this id`,
        also: first,
      })
    nodes.set(id, node)
    names.set(id, name)
    if (typeof orgId === 'string') organizations.set(id, orgId)
  }
  return { organizations, names }
}

/** A name can be used wherever an id can, and `all` for every project, so no name may be ambiguous. */
const refuseAmbiguous = (name: string, { root, report }: Pick<Checked, 'root' | 'report'>): void => {
  if (name !== 'all' && !isUsualId(name)) return
  const pair = pairOf(pairOf(root, 'projects')?.value, name)
  const why =
    name === 'all' ? 'stands for every project' : 'looks like an id, and could be the id of another project'
  if (pair !== undefined)
    report.add(pair.key, {
      path: ['projects', name],
      message: `${quoted(name)} cannot be the name of a project: it ${why}`,
    })
}

/** A name that stood for another name could mean anything. */
const refuseNames = (
  project: string,
  said: Readonly<Record<string, unknown>>,
  { root, evaluator, report }: Pick<Checked, 'root' | 'evaluator' | 'report'>,
): void => {
  for (const part of ['id', 'orgId']) {
    const [path, value] = [['projects', project, part], said[part]]
    const { node } = locate(root, path)
    // A project can be named after its id.
    if (!isProject(root, value) || evaluator.isUnknown(node) || (part === 'id' && value === project)) continue
    const what = part === 'id' ? 'another project; give an id' : 'a project; give the id of its organization'
    report.add(node, { path, message: `${quoted(value)} is the name of ${what}` })
  }
}
