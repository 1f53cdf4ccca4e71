import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '@deploymgmt/provider/api'
import { kinds } from '@deploymgmt/provider/kinds'
import { applyPlan } from '../../reconciler/apply/apply.ts'
import { sessionLedger } from '../../reconciler/apply/ledger.ts'
import { planRun } from '../../reconciler/commands/plan-run.ts'
import { loadDeclaration } from '../../reconciler/config/index.ts'
import { InternalError } from '../../reconciler/errors/index.ts'
import { nodeFiles, openSession, readSession } from '../../reconciler/state/index.ts'
import { line, windows } from '../crash/support/two-windows.ts'
import { CI } from '../support/installation.ts'
import { begin } from '../support/scene.ts'

it('an answer is kept with the next intent by one append, and what is open when a request leaves is that one alone', async () => {
  const here = await begin({ manifest: windows(line('w01', '01'), line('w02', '02'), line('w03', '03')) })
  const files = [join(here.folder, 'deploymgmt.yaml')]
  const loaded = await loadDeclaration({ files, cwd: here.folder }, kinds)
  const state = {
    statePath: join(here.folder, 'deploymgmt.state.json'),
    expect: { name: 'test', baseUrl: here.baseUrl },
  }
  const told: string[] = []
  const create: typeof nodeFiles.create = async (path) => {
    const file = await nodeFiles.create(path)
    const sync = async () => {
      if (path.includes('journal')) told.push('kept')
      await file.sync()
    }
    return { ...file, sync }
  }
  const session = await openSession({ ...state, command: 'apply' }, { files: { ...nodeFiles, create } })
  const beforeWrite = async () => {
    const { unknown } = await readSession(state)
    told.push(...unknown.map(({ address }) => `${address} leaves`))
  }
  const client = createClient({ baseUrl: here.baseUrl, ...CI, beforeWrite })
  onTestFinished(() => client.close())
  const { plan } = await planRun(client, { loaded, records: {}, globs: [], look: 'for-plan' })
  await applyPlan({
    context: {
      client,
      ledger: sessionLedger(session),
      definitions: kinds,
      allowed: new Set(),
      secret: () => Promise.resolve(''),
    },
    planned: plan.planned,
    planAgain: () => Promise.resolve([]),
    concurrency: 1,
    signal: new AbortController().signal,
    refuse: () => new InternalError('nothing is refused'),
    onStart: ({ change }) => told.push(`${change.address} begun`),
    onFinish: ({ planned, status }) => told.push(`${planned.change.address} ${status}`),
  })
  await session.close()
  const [first, second, third] = ['w01', 'w02', 'w03'].map((name) => `maintenanceWindows.${name}`)
  expect(told).toEqual([
    `${first} begun`,
    'kept',
    `${first} leaves`,
    'kept',
    `${first} done`,
    `${second} begun`,
    `${second} leaves`,
    'kept',
    `${second} done`,
    `${third} begun`,
    `${third} leaves`,
    'kept',
    `${third} done`,
  ])
})
