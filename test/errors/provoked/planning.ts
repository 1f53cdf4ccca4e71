import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestWith } from '../../support/installation.ts'
import { only } from '../../support/scene.ts'
import { APPLY, type Table } from '../support/provocation.ts'

/** Planning, showing and asking for consent. */
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
  EventsUnreadError: [
    {
      when: 'a thing is accepted by a key that may not read its events',
      meet: async (scene) => {
        const { env, run } = scene
        await run(...APPLY)
        await scene.outside('PATCH', '/orgs/5980cfdf0b6d97029d82f86e/apiKeys/5c47503320eef5699e1cce8f', {
          roles: ['ORG_READ_ONLY'],
        })
        Object.assign(env, {
          DEPLOYMGMT_PUBLIC_KEY: 'reporter',
          DEPLOYMGMT_PRIVATE_KEY: '7a6b5c4d-canary-0003',
        })
        return run('state', 'accept', 'apiKeys.reporting')
      },
      where:
        /nothing about apiKeys\.reporting was accepted: organization 5980cfdf0b6d97029d82f86e: its events/,
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
      where: /there is no terminal on which to ask/,
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
