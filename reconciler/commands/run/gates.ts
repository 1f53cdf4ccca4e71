import { endOf, fillPath, isNone, nearest } from '@deploymgmt/provider/core'
import type { Change, Provisional, Run } from '@deploymgmt/provider/engine'
import type { Client } from '@deploymgmt/provider/api'
import { CancelledError, RequestError } from '@deploymgmt/provider/errors'
import type { Hindrance } from '../../conditions/index.ts'
import type { GateException, LoadedDeclaration, ProjectGate } from '../../config/index.ts'
import { GateError } from '../../errors/index.ts'
import { sayGate } from '../../render/wording/gates.ts'
import { number } from '../../text/number.ts'
import type { ReportedGate } from '../../render/document/plan-model.ts'
import { shellWord } from '../../text/display.ts'
import {
  ALLOW_FLAGS,
  allowedBy,
  sameFlagsOf,
  type AllowOptions,
  type CommonOptions,
} from '../line/options.ts'

export const changesOf = ({ plan }: Run): Change[] => plan.planned.map(({ change }) => change)

type Looking = Pick<LoadedDeclaration, 'gates' | 'declaration'>

/** The paths of all requests of a plan, including those that settle earlier requests. */
export const pathsSent = ({ plan }: Pick<Run, 'plan'>, provisional: readonly Provisional[]): string[] => [
  ...plan.planned.flatMap(({ change }) => change.requests.map(({ path }) => path)),
  ...provisional.flatMap(({ write, step }) => [write.path, ...fencePath(step)]),
]

/** A fence goes to another thing than the lost request, perhaps in another project. */
const fencePath = (step: Provisional['step']): string[] => {
  if (step?.step !== 'fence') return []
  const { write } = step.definition
  return isNone(write) ? [] : [fillPath(write.operation.path, step.record.identity)]
}

/** Evaluates the gates of the projects in which something is sent; a rehearsal has nothing to evaluate. */
export const lookAtGates = async (
  client: Client,
  { gates, declaration }: Looking,
  paths: readonly string[],
  options: CommonOptions,
): Promise<ReportedGate[]> => {
  const isChanged = ({ projectId }: ProjectGate): boolean =>
    paths.some((path) => path.startsWith(`/groups/${projectId}/`))
  const wanted = options.local === true ? [] : gates.filter(isChanged)
  return Promise.all(
    wanted.map((gate) =>
      lookAt(client, gate, { names: declaration.projectNames, sameFlags: sameFlagsOf(options) }),
    ),
  )
}

const lookAt = async (
  client: Client,
  { projectId, gate, exceptions, declaredAt }: ProjectGate,
  { names, sameFlags }: { readonly names: ReadonlyMap<string, string>; readonly sameFlags: string },
): Promise<ReportedGate> => {
  // Imported lazily: few manifests have gates, and the conditions load all data sources.
  const { CONDITIONS } = await import('../../conditions/index.ts')
  const { goal, remedy, look } = CONDITIONS[gate]
  const project = names.get(projectId)
  const { found, known, byHand } = await look(client, projectId).then(
    ({ hindrances, names: called }) => ({
      found: hindrances,
      known: called,
      byHand: remedy(`--project ${shellWord(project ?? projectId)}${sameFlags}`),
    }),
    unread,
  )
  const now = client.serviceNow()
  const isStanding = ({ until }: GateException): boolean => until === undefined || now <= (endOf(until) ?? 0)
  const standing = exceptions.filter(isStanding)
  const { hindrances, excepted } = splitByException(found, standing)
  const ended = exceptions.filter((each) => !isStanding(each))
  const unmatched = hindrances.length === 0 ? [] : unmatchedIn(standing, known)
  return {
    projectId,
    ...(project === undefined ? {} : { project }),
    gate,
    goal,
    open: hindrances.length === 0,
    hindrances,
    ...(excepted.length === 0 ? {} : { excepted }),
    ...(ended.length === 0 ? {} : { ended: ended.map(({ name, until = '' }) => ({ name, until })) }),
    ...(unmatched.length === 0 ? {} : { unmatched }),
    ...(hindrances.length === 0 ? {} : { byHand }),
    declaredAt,
  }
}

/** What closes a gate, and what an exception lets pass. */
const splitByException = (
  found: readonly Hindrance[],
  exceptions: readonly GateException[],
): Pick<ReportedGate, 'hindrances'> & { readonly excepted: NonNullable<ReportedGate['excepted']> } => {
  const told = found.map(({ names, says, facts }) => ({
    said: { says, facts },
    exception: exceptions.find(({ name }) => names.includes(name)),
  }))
  return {
    hindrances: told.flatMap(({ said, exception }) => (exception === undefined ? [said] : [])),
    excepted: told.flatMap(({ said, exception }) =>
      exception === undefined ? [] : [{ ...said, reason: exception.reason, ...untilOf(exception) }],
    ),
  }
}

/** The exceptions that name nothing that was looked at: one that is misspelt opens nothing. */
const unmatchedIn = (
  exceptions: readonly GateException[],
  known: readonly string[] | undefined,
): NonNullable<ReportedGate['unmatched']> =>
  exceptions.flatMap(({ name, declaredAt }) => {
    if (known?.includes(name) !== false) return []
    const meant = nearest(name, [...new Set(known)])
    return [{ name, declaredAt, ...(meant === undefined ? {} : { meant }) }]
  })

/** A gate that cannot be read counts as closed, and has nothing that an exception could name. */
const unread = (error: unknown) => {
  if (!(error instanceof RequestError) || error instanceof CancelledError) throw error
  const { message, code, where, hint } = error
  const found: Hindrance[] = [{ names: [], says: `cannot be read: ${message}`, facts: { code, where } }]
  return { found, known: undefined, byHand: hint }
}

const untilOf = ({ until }: GateException): { until?: string } => (until === undefined ? {} : { until })

/** @throws GateError if a gate is closed, and no flag overrides it */
export const refuseClosed = (gates: readonly ReportedGate[], options: AllowOptions): void => {
  const [flag] = ALLOW_FLAGS.allowClosedGates
  const closed = gates.filter(({ open }) => !open)
  if (closed.length === 0 || allowedBy(options).has(flag)) return
  const remedies = [...new Set(closed.flatMap(({ byHand }) => byHand ?? []))]
  const further = `Nothing was sent. Declare an exception under gates in the manifest, with its reason, or continue anyway with ${flag}.`
  const [first, ...others] = closed
  if (first !== undefined && others.length === 0)
    throw new GateError(sayGate(first), {
      where: first.declaredAt,
      hint: [...remedies, further].join(' '),
    })
  const each = closed.map((gate) => `${sayGate(gate)}\n    ${gate.declaredAt}`)
  throw new GateError([`${number(closed.length)} gates are closed:`, ...each].join('\n  '), {
    hint: [...remedies, further].map((text) => `- ${text}`).join('\n  '),
  })
}
