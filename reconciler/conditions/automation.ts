import { asList, type Values } from '@deploymgmt/provider/core'
import { automationStatus } from '@deploymgmt/provider/data-sources'
import type { Condition, Hindrance } from './condition.ts'
import { readValid, textsAmong } from './reading.ts'

/** Endpoint 8: a process that has reached the goal is fine even if its plan is not empty. */
export const automation: Condition = {
  gate: 'automation-converged',
  wait: 'automation',
  goal: 'every process has reached the goal version',
  remedy: (flags) => `Wait with \`deploymgmt wait automation ${flags}\`, or look at the host that hangs.`,
  look: async (client, projectId) => {
    const { goalVersion, processes } = await readValid(client, automationStatus, { projectId })
    const found = asList(processes)
    const late = found.filter(({ lastGoalVersionAchieved }) => lastGoalVersionAchieved !== goalVersion)
    return {
      hindrances:
        found.length === 0 ? [nobody(goalVersion)] : late.map((process) => behind(process, goalVersion)),
      names: found.flatMap(({ hostname, name }) => textsAmong(hostname, name)),
    }
  },
}

/** If nothing is deployed yet, nothing has reached a goal. */
const nobody = (goalVersion: unknown): Hindrance => ({
  names: [],
  says: `the automation status has no process, so none has reached the goal version (${String(goalVersion)})`,
  facts: { goalVersion, count: 0 },
})

const behind = (process: Values, goalVersion: unknown): Hindrance => {
  const { name, hostname, lastGoalVersionAchieved: version, plan } = process
  const [step, ...later] = textsAmong(...[plan].flat())
  const [error] = textsAmong(
    process['errorCodeHumanReadable'],
    process['errorString'],
    process['errorCodeDescription'],
  )
  const where = textsAmong(hostname, name).join(' ')
  const says = [
    `${where === '' ? 'a process' : where}: ${sayBehind(version, goalVersion)}`,
    ...(step === undefined
      ? []
      : [`at step ${step}${later.length === 0 ? '' : `, ${later.length} more after it`}`]),
    ...(error === undefined ? [] : [`error: ${error}`]),
  ]
  return {
    names: textsAmong(hostname, name),
    says: says.join('; '),
    facts: { name, hostname, version, goalVersion, plan, ...(error === undefined ? {} : { error }) },
  }
}

const sayBehind = (version: unknown, goal: unknown): string => {
  const count = Number(goal) - Number(version)
  if (!(count > 0)) return `at version ${String(version)}, and the goal is ${String(goal)}`
  return `${count} ${count === 1 ? 'version' : 'versions'} behind (${String(version)} of ${String(goal)})`
}
