import { isNone } from '../../core/operation.ts'
import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import type { Action } from '../values/model.ts'
import type { PlannedChange, Work } from './work.ts'

/** The work that each shown action may do. */
const WORK_OF: Readonly<Record<Action, readonly Work['do'][]>> = {
  create: ['create'],
  adopt: ['record', 'write'],
  update: ['record', 'write'],
  delete: ['delete'],
  release: ['release', 'drop'],
  moved: ['move'],
  blocked: ['keep'],
  expired: ['keep', 'drop'],
  unchanged: ['keep'],
}

const METHOD_OF: Readonly<Partial<Record<Work['do'], string>>> = {
  create: 'POST',
  write: 'PATCH',
  delete: 'DELETE',
  release: 'PATCH',
}

/**
 * Checks what holds for every plan: it does what it shows, and the definition can do it. A violation is a defect of
 * the engine, found before anything is sent.
 * @throws TypeError
 */
export const validatePlan = (
  planned: readonly PlannedChange[],
  definitions: readonly KindDefinition[],
): readonly PlannedChange[] => {
  const writing = new Set<string>()
  for (const each of planned) {
    const fault = faultOf(each, definitionOf(definitions, each.change.kind)) ?? twice(each, writing)
    if (fault !== undefined) throw new TypeError(`the plan of ${each.change.address} ${fault}`)
  }
  return planned
}

const faultOf = (planned: PlannedChange, definition: KindDefinition | undefined): string | undefined => {
  const { change, work } = planned
  const { action, requests } = change
  if (definition === undefined) return `is of the unknown kind ${change.kind}`
  if (!WORK_OF[action].includes(work.do)) return `shows ${action} and does ${work.do}`
  const method = METHOD_OF[work.do]
  if (method === undefined)
    return requests.length === 0 ? undefined : `shows requests and sends none: ${work.do}`
  if (requests.length === 0 || requests.some((request) => request.method !== method))
    return `does ${work.do} and does not show its ${method}`
  return unable(work, definition)
}

/** Why the definition has no operation for this work; undefined if it has one. */
const unable = (work: Work, { establish, write, absence, release }: KindDefinition): string | undefined => {
  if (work.do === 'create') return isNone(establish.create) ? 'creates what cannot be created' : undefined
  if (work.do === 'delete') return isNone(absence) ? 'deletes what cannot be deleted' : undefined
  if (isNone(write)) return 'writes what cannot be written'
  if (work.do === 'release')
    return Object.values(release).includes(work.way) ? undefined : 'releases in a way that the kind has not'
  if (work.do !== 'write') return undefined
  const other = [...work.learnBy, ...work.fields].find((name) => !write.fields.includes(name))
  return other === undefined ? undefined : `writes ${other}, which no call changes`
}

/** One address may have a blocked part beside a write, or a move before one, but never two writes. */
const twice = ({ change, work }: PlannedChange, writing: Set<string>): string | undefined => {
  if (METHOD_OF[work.do] === undefined) return undefined
  if (writing.has(change.address)) return 'writes twice'
  writing.add(change.address)
  return undefined
}
