import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '@deploymgmt/provider/api'
import { foreseen, type Intent, type PlannedChange } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { IntentsAhead } from '../../reconciler/apply/intents-ahead.ts'
import { planRun } from '../../reconciler/commands/run/plan-run.ts'
import { loadDeclaration } from '../../reconciler/config/index.ts'
import { openSession } from '../../reconciler/state/index.ts'
import { A, B, windows } from '../crash/support/two-windows.ts'
import { CI } from '../support/installation.ts'
import { begin } from '../support/scene.ts'

it('what was written ahead is as old as when it was written down, however late its turn comes', async () => {
  const here = await begin({ manifest: windows(A, B) })
  const files = [join(here.folder, 'deploymgmt.yaml')]
  const loaded = await loadDeclaration({ files, cwd: here.folder }, kinds)
  const statePath = join(here.folder, 'deploymgmt.state.json')
  const expected = { name: 'test', baseUrl: here.baseUrl }
  const session = await openSession({ statePath, expect: expected, command: 'apply' })
  let later = 0
  const now = (): number => Date.now() + later
  const client = createClient({ baseUrl: here.baseUrl, ...CI, now })
  onTestFinished(() => client.close())
  const { plan } = await planRun(client, { loaded, records: {}, globs: [], look: 'for-plan' })
  const ahead = new IntentsAhead(session, { least: 2, now: () => new Date(now()) })
  const sees = (planned: PlannedChange): Intent | undefined => foreseen(planned, { client })
  ahead.reach(plan.planned, 0, sees)
  later = 29_000
  const intent = plan.planned.map(sees).at(-1)
  if (intent === undefined) throw new Error('nothing is foreseen')
  const taken = await ahead.take(intent)
  const kept = session.journal.flatMap((each) => (each.type === 'intent' ? [each] : [])).at(-1)
  // It decides until when the request may be sent, and when it can have taken effect.
  expect(taken).toStrictEqual({ n: kept?.n, at: kept?.detail.sentAt })
  expect(Date.parse(intent.at) - Date.parse(taken?.at ?? '')).toBeGreaterThanOrEqual(28_000)
  await ahead.end()
  await session.close()
})
