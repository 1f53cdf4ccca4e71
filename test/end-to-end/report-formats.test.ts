import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../support/command.ts'
import { PROJECT } from '../support/installation.ts'
import { beginApplied, only, type Scene } from '../support/scene.ts'
import { resultsOf } from '../reconciler/render/support/sarif.ts'
import { errorsOf, testCases } from '../reconciler/render/support/xml.ts'

const NOISY = '5d1113b25a115342acc2d1aa'

const drifted = async (): Promise<Scene> => {
  const here = await beginApplied(
    only('alertConfigurations', `  noisy: { alertConfigId: ${NOISY}, enabled: true }`),
  )
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled: false })
  return here
}

it('one run of drift writes all that people and machines read, of the same drift', async () => {
  const here = await drifted()
  const files = { markdown: 'drift.md', junit: 'drift.xml', sarif: 'drift.sarif' }
  const words = Object.entries(files).flatMap(([format, file]) => ['--format', `${format}=${file}`])
  const { code, stdout } = await here.run('drift', '--unmanaged', 'off', '--format', 'brief', ...words)
  expect(code).toBe(2)
  expect(stdout).toMatch(
    /^Drift: 1 thing is not as last applied · .*\nalertConfigurations\.noisy \(REPLICA_SET\): enabled: true → false, by key "oncall".*\nWho, when/,
  )

  const [markdown = '', junit = '', sarif = ''] = await Promise.all(
    Object.values(files).map(async (file) => readFile(join(here.folder, file), 'utf8')),
  )
  expect(markdown).toMatch(/^### Drift: 1 thing is not as last applied\n\n<!-- deploymgmt:drift:\S+ -->\n/)
  expect(markdown).toContain('```sh\ndeploymgmt apply --target alertConfigurations.noisy')
  expect(await errorsOf(junit)).toEqual([])
  expect(testCases(junit)).toMatchObject([{ name: 'alertConfigurations.noisy', type: 'drifted' }])
  expect(resultsOf(sarif)).toMatchObject([{ ruleId: 'drifted', level: 'error' }])
})

it('the plan that undoes it is shown for a comment', async () => {
  const here = await drifted()
  const { stdout } = await here.run('plan', '--format', 'markdown')
  expect(stdout).toMatch(/^### Plan: 1 to change\n\n<!-- deploymgmt:plan:\S+ -->\n/)
  expect(stdout).toContain(
    '| **1 alert configuration to change** | enabled `false` → `true` | `alertConfigurations.noisy` (REPLICA_SET) |',
  )
})

it('a command that fails tells machines so in their format', async () => {
  const here = await drifted()
  const broken = { ...here, env: { ...here.env, DEPLOYMGMT_PRIVATE_KEY: 'wrong' } }
  const ran = await runHere(broken, ['drift', '--format', 'junit'])
  expect(ran.code).toBe(1)
  expect(await errorsOf(ran.stdout)).toEqual([])
  expect(testCases(ran.stdout)).toMatchObject([{ result: 'error', type: 'DM-AUTH-REJECTED' }])
  const log = JSON.parse((await runHere(broken, ['drift', '--format', 'sarif'])).stdout)
  expect(log.runs[0].invocations[0].executionSuccessful).toBe(false)
})
