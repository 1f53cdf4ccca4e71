import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '@deploymgmt/provider/api'
import { kinds } from '@deploymgmt/provider/kinds'
import { applyPlan } from '../../reconciler/apply/waves.ts'
import { sessionLedger } from '../../reconciler/apply/ledger.ts'
import { planRun } from '../../reconciler/commands/run/plan-run.ts'
import { loadDeclaration } from '../../reconciler/config/index.ts'
import { InternalError } from '../../reconciler/errors/index.ts'
import { openSession } from '../../reconciler/state/index.ts'
import { A, line, windows } from '../crash/support/two-windows.ts'
import { CI } from '../support/installation.ts'
import { begin } from '../support/scene.ts'

it('a defect while waiting changes are planned again leaves the results of all others to report', async () => {
  const after = line('b', '02', '"after ${maintenanceWindows.a.id}"')
  const here = await begin({
    manifest: windows(A, after, line('c', '03', '"after ${maintenanceWindows.b.id}"')),
  })
  const files = [join(here.folder, 'deploymgmt.yaml')]
  const loaded = await loadDeclaration({ files, cwd: here.folder }, kinds)
  const expected = { name: 'test', baseUrl: here.baseUrl }
  const statePath = join(here.folder, 'deploymgmt.state.json')
  const session = await openSession({ statePath, expect: expected, command: 'apply' })
  const client = createClient({ baseUrl: here.baseUrl, ...CI })
  onTestFinished(() => client.close())
  const { planned } = (await planRun(client, { loaded, records: {}, globs: [], look: 'for-plan' })).plan
  const defect = new TypeError('a defect')
  const never = async (): Promise<never> => {
    throw defect
  }
  const { results, failure } = await applyPlan({
    context: {
      client,
      ledger: sessionLedger(session),
      definitions: kinds,
      allowed: new Set(),
      secret: never,
    },
    planned,
    planAgain: never,
    concurrency: 1,
    signal: new AbortController().signal,
    refuse: () => new InternalError(defect),
    onStart: () => undefined,
    onFinish: () => undefined,
  })
  await session.close()
  expect(results.map(({ planned: { change }, status }) => [change.address, status])).toEqual([
    ['maintenanceWindows.a', 'done'],
    ['maintenanceWindows.b', 'failed'],
    ['maintenanceWindows.c', 'skipped'],
  ])
  expect(failure).toMatchObject({ code: InternalError.code, cause: defect })
})
