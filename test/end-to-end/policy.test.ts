import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureWith } from '../support/installation.ts'
import { begin, only, type Scene } from '../support/scene.ts'

const POLICY = join(import.meta.dirname, '..', '..', 'examples', 'policy', 'plan.jq')
/** jq does not come with this repository. */
const isMissing = spawnSync('jq', ['--version']).error !== undefined

const IDS = ['a0', 'a1', 'a2', 'a3'].map((end) => `5d1113b25a115342acc2d0${end}`)

const started = (): Promise<Scene> =>
  begin({
    fixture: fixtureWith({
      alertConfigs: IDS.map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: true })),
      integrations: [{ type: 'CHAT_A' }],
    }),
  })

const switched = (off: number): string =>
  only(
    'alertConfigurations',
    IDS.map((id, index) => `  c${index}: { alertConfigId: ${id}, enabled: ${index >= off} }`).join('\n'),
  )

/** Plans as the first lines of the policy say, and returns the verdict of the policy. */
const judged = async (here: Scene, manifest: string) => {
  await here.manifest(manifest)
  expect(await here.run('plan', '--out', 'saved.plan', '--format', 'json=plan.json')).toMatchObject({
    code: 0,
  })
  const words = ['--argjson', 'off', '3', '--from-file', POLICY, 'plan.json']
  const { status, stdout, stderr } = spawnSync('jq', words, { cwd: here.folder, encoding: 'utf8' })
  expect(stdout).toBe('')
  return { status, stderr }
}

describe.skipIf(isMissing)('the policy of examples/policy, where jq is there', () => {
  it('lets a plan pass that deletes nothing and turns off few, which is then what is applied', async () => {
    const here = await started()
    expect(await judged(here, switched(3))).toEqual({ status: 0, stderr: '' })
    const { saved } = JSON.parse(await readFile(join(here.folder, 'plan.json'), 'utf8'))
    const apply = ['apply', 'saved.plan', '--auto-approve', '--allow-mass-change']
    expect(await here.run(...apply, '--expect-sha256', saved.sha256)).toMatchObject({ code: 0 })
    expect(await judged(here, switched(3))).toEqual({ status: 0, stderr: '' })
  })

  it('refuses a plan that turns off more', async () => {
    expect(await judged(await started(), switched(4))).toEqual({
      status: 1,
      stderr: `4 alert configurations would be turned off, and 3 may be: ${[0, 1, 2, 3].map((each) => `alertConfigurations.c${each}`).join(', ')}\n`,
    })
  })

  it('refuses a plan that deletes', async () => {
    const absent = only('integrations', '  old: { type: CHAT_A, ensure: absent }')
    expect(await judged(await started(), absent)).toEqual({
      status: 1,
      stderr: 'integrations.old would be deleted\n',
    })
  })
})

it('the policy for conftest names each field as a plan does', async () => {
  const here = await started()
  await here.manifest(switched(1))
  const { document } = await here.json('plan')
  const text = await readFile(POLICY.replace(/jq$/, 'rego'), 'utf8')
  const named = [...text.matchAll(/\b(?:change|request|field)\.(\w+)/g)].map(([, name]) => name)
  const change = document.changes.find(({ requests }: any) => requests.length > 0)
  const known = new Set([change, change.requests[0], change.fields[0]].flatMap((each) => Object.keys(each)))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !known.has(name ?? ''))).toEqual([])
})
