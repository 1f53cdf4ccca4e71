import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '@deploymgmt/provider/api'
import { carryOut } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { sessionLedger } from '../../reconciler/apply/ledger.ts'
import { planRun } from '../../reconciler/commands/run/plan-run.ts'
import { loadDeclaration } from '../../reconciler/config/index.ts'
import { StateWriteError } from '../../reconciler/errors/index.ts'
import { openSession, readSession } from '../../reconciler/state/index.ts'
import { line, windows } from '../crash/support/two-windows.ts'
import { CI } from '../support/installation.ts'
import { begin, writesIn } from '../support/scene.ts'

it('of a request that does not leave since the lock cannot be confirmed, nothing is unknown', async () => {
  const here = await begin({ manifest: windows(line('w01', '01')) })
  const files = [join(here.folder, 'deploymgmt.yaml')]
  const loaded = await loadDeclaration({ files, cwd: here.folder }, kinds)
  const statePath = join(here.folder, 'deploymgmt.state.json')
  const state = { statePath, expect: { name: 'test', baseUrl: here.baseUrl } }
  const session = await openSession({ ...state, command: 'apply' })
  const error = new StateWriteError(
    'the lock of the state could not be confirmed in time; nothing more is sent',
  )
  const client = createClient({ baseUrl: here.baseUrl, ...CI, beforeWrite: () => Promise.reject(error) })
  onTestFinished(() => client.close())
  const { plan } = await planRun(client, { loaded, records: {}, globs: [], look: 'for-plan' })
  const context = { client, ledger: sessionLedger(session), definitions: kinds, allowed: new Set<string>() }
  for (const planned of plan.planned)
    await expect(carryOut(planned, { ...context, secret: () => Promise.resolve('') })).rejects.toBe(error)
  expect(session.unknown).toEqual([])
  await session.close()
  expect((await readSession(state)).unknown).toEqual([])
  expect(await writesIn(here)).toEqual([])
})
