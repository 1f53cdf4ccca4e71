import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestWith } from '../../support/installation.ts'
import { only } from '../../support/scene.ts'
import { APPLY, type Table } from '../support/provocation.ts'

/** What is planned, shown and asked. */
export const planning: Table = {
  GuardError: [
    {
      when: 'an only-list deletes what nobody has named',
      meet: async ({ manifest, run }) => {
        await manifest(only('integrations', '  nothing-else: { only: [PAGING] }'))
        return run(...APPLY)
      },
      where: /--allow-delete: integrations\.nothing-else\[CHAT_A\]/,
    },
  ],
  GateError: [
    {
      when: 'a project is changed that has no agent, and its gate asks for active ones',
      meet: async ({ manifest, run }) => {
        await manifest(`${manifestWith()}gates: { payments: [agents-active] }\n`)
        return run(...APPLY)
      },
      where:
        /gate agents-active of payments is closed: there is no agent of any type\n {2}deploymgmt\.yaml:\d+/,
    },
  ],
  StateMissingError: [
    {
      when: 'there is no state, and something would be created',
      meet: async ({ folder, run }) => {
        await rm(join(folder, 'deploymgmt.state.json'))
        return run(...APPLY)
      },
      where: /^ {2}deploymgmt\.state\.json$/m,
    },
  ],
  NotConfirmedError: [
    {
      when: 'there is no terminal to ask on',
      meet: ({ run }) => run('apply'),
      where: /there is no terminal to ask on/,
    },
  ],
  PlanStaleError: [
    {
      when: 'a manifest was edited after the plan was saved',
      meet: async ({ manifest, run }) => {
        await run('plan', '--out', 'saved.plan')
        await manifest(manifestWith().replace('Storage migration', 'Other'))
        return run('apply', 'saved.plan', '--auto-approve')
      },
      where: /deploymgmt\.yaml/,
    },
  ],
  PlanDigestError: [
    {
      when: 'the plan file is not the one that was approved',
      meet: async ({ run }) => {
        await run('plan', '--out', 'saved.plan')
        return run('apply', 'saved.plan', '--auto-approve', '--expect-sha256', '0'.repeat(64))
      },
      where: /^ {2}\/.*saved\.plan$/m,
    },
  ],
  PlanFileError: [
    {
      when: 'the file is no plan',
      meet: async ({ folder, run }) => {
        await writeFile(join(folder, 'plan.bin'), '{}')
        return run('apply', 'plan.bin', '--auto-approve')
      },
      where: /^ {2}\/.*plan\.bin$/m,
    },
  ],
}
