import { asSpelled, isUsualId } from '@deploymgmt/provider/core/check'
import type { Gate } from '@deploymgmt/provider/core'
import { quoted } from '../../text/display.ts'
import { checkUntil } from './check-until.ts'
import { lacksFiles, type Checked } from './checked.ts'
import { locate, pairOf, positionOf } from '../tree/node.ts'
import type { Projects } from './projects.ts'

/** An exception from a gate. */
export interface GateException {
  /** The name of a host or process, a type, or an id. */
  readonly name: string
  readonly reason: string
  /** As written, a day or an instant; permanent by default. */
  readonly until?: string
  /** `FILE:LINE:COLUMN`. */
  readonly declaredAt: string
}

/** A condition that must hold in a project before anything in it is changed. */
export interface ProjectGate {
  readonly projectId: string
  readonly gate: Gate
  readonly exceptions: readonly GateException[]
  /** `FILE:LINE:COLUMN`. */
  readonly declaredAt: string
}

interface Written {
  readonly gate: Gate
  readonly except?: readonly Omit<GateException, 'declaredAt'>[]
}

/** Mistakes in its values were reported already. */
const isWritten = (value: unknown): value is Gate | Written =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && 'gate' in value)

/** The gates of a manifest whose values were checked; each has a project, and is there once per project. */
export const gatesOf = (checked: Checked, { names }: Pick<Projects, 'names'>): ProjectGate[] => {
  const { root, value, report } = checked
  const { gates } = value as { gates?: Readonly<Record<string, unknown>> | null }
  const ids = new Map([...names].map(([id, name]) => [name, id]))
  return Object.entries(gates ?? {}).flatMap(([name, written]) => {
    const projectId = projectOf(checked, name, ids)
    if (projectId === undefined || !Array.isArray(written)) return []
    const seen = new Map<string, number>()
    return (written as readonly unknown[]).flatMap((each, index) => {
      if (!isWritten(each)) return []
      const { gate, except = [] } = typeof each === 'string' ? { gate: each } : each
      const path = ['gates', name, index]
      const { node } = locate(root, path)
      for (const [at, { until }] of except.entries())
        checkUntil(checked, until, [...path, 'except', at, 'until'])
      const first = seen.get(gate)
      if (first === undefined) seen.set(gate, index)
      else
        report.add(node, {
          path,
          message: `${gate} is listed twice; put all of its exceptions in one place`,
          also: locate(root, ['gates', name, first]).node,
        })
      return {
        projectId,
        gate,
        exceptions: except.map((one, at) => ({
          ...one,
          declaredAt: positionOf(locate(root, [...path, 'except', at, 'name']).node),
        })),
        declaredAt: positionOf(node),
      }
    })
  })
}

const projectOf = (checked: Checked, name: string, ids: ReadonlyMap<string, string>): string | undefined => {
  const { root, report } = checked
  const found = ids.get(name)
  if (found !== undefined) return found
  if (isUsualId(name)) return asSpelled(name)
  if (lacksFiles(checked)) return undefined
  const known = [...ids.keys()]
  report.add(pairOf(pairOf(root, 'gates')?.value, name)?.key ?? root, {
    path: ['gates', name],
    message: `${quoted(name)} is not a project of \`projects\``,
    suggestion: report.nearest(name, known),
    allowed: known,
  })
  return undefined
}
