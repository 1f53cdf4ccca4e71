import { asList } from '../core/values.ts'
import { defineDataSource } from '../core/data-source.ts'
import { element, id, integer, list, string } from '../core/field.ts'
import { get } from '../core/operation.ts'

export default defineDataSource({
  name: 'automation_status',
  title: 'Automation status',
  summary: 'How far the processes of a project have got with the latest automation plan.',
  operation: get('/groups/{projectId}/automationStatus', 8),
  shape: 'one',
  arguments: {
    projectId: id('Project whose processes are read.').names(),
  },
  result: {
    goalVersion: integer(
      'Version of the automation configuration that was submitted last; if several were, of the one that won.',
    ),
    processes: list(
      element.object({
        name: string('Name of the process in the automation configuration.'),
        hostname: string('Fully qualified name of the server of the process and its agent.'),
        lastGoalVersionAchieved: integer('Last version of the configuration that the process deployed.'),
        plan: list(element.string, 'Steps by which the process reaches the goal.'),
        errorCode: integer('Code of the error; 0 if there is none.'),
        errorCodeDescription: string('Description of the error; empty if there is none.'),
        errorCodeHumanReadable: string('Short description of the error; empty if there is none.'),
        errorString: string('Log line with the error; empty if there is none.'),
      }),
      'Deployed database processes.',
    ),
  },
  inventory: {
    readings: [{}],
    rows: ({ goalVersion, processes }) => asList(processes).map((each) => ({ goalVersion, ...each })),
    counts: ({ name, hostname, goalVersion, lastGoalVersionAchieved, plan, ...process }) => ({
      process: name,
      behind: behindBy(goalVersion, lastGoalVersionAchieved),
      step:
        goalVersion === lastGoalVersionAchieved || !Array.isArray(plan) ? undefined : (plan[0] as unknown),
      error: process['errorCodeHumanReadable'],
      host: hostname,
    }),
    asked: [
      {
        of: ({ goalVersion, lastGoalVersionAchieved }) => goalVersion !== lastGoalVersionAchieved,
        per: 'place',
        one: 'project behind',
        many: 'projects behind',
      },
    ],
    watched: true,
  },
  docs: {
    example: { projectId: '5c8100bcf2a30b12ff88258f' },
    notes: [
      'A process is at the goal when its `lastGoalVersionAchieved` equals `goalVersion`; a `plan` that is not empty does not contradict that.',
    ],
  },
})

/** How many versions a process is behind; a non-empty `plan` does not contradict the goal. */
const behindBy = (goal: unknown, achieved: unknown): unknown =>
  typeof goal === 'number' && typeof achieved === 'number' ? goal - achieved : undefined
