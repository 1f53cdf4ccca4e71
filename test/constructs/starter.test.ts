import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runHere } from '../support/command.ts'
import { root, run } from './support/consumer.ts'

const begin = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-starter-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
const init = (folder: string) => runHere({ folder, env: {} }, ['init', '--template', 'typescript'])

test('init --template typescript writes the starter, byte for byte, with the checkout’s packages, and leaves what is there', async () => {
  const folder = await begin()
  expect(await init(folder)).toMatchObject({ code: 0 })
  const starter = join(root, 'examples', 'typescript', 'starter')
  expect((await readdir(folder)).toSorted()).toEqual([...(await readdir(starter)), '.npmrc'].toSorted())
  for (const name of ['main.ts', 'declarations.ts', 'README.md'])
    expect(await readFile(join(folder, name), 'utf8')).toBe(await readFile(join(starter, name), 'utf8'))
  const again = await init(folder)
  expect(again).toMatchObject({ code: 1 })
  expect(again.stderr).toContain('already exists; nothing was written')
})

test('init --template typescript leaves a .gitignore that is there as it is', async () => {
  const folder = await begin()
  await writeFile(join(folder, '.gitignore'), 'mine\n')
  const { code, stderr } = await init(folder)
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('.gitignore already exists; nothing was written'),
  })
  expect(await readdir(folder)).toEqual(['.gitignore'])
  expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('mine\n')
})

const inFolder = (cwd: string) => ({
  cwd,
  // The Node.js that runs this test, whichever one is installed on the machine.
  env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
})

test('the steps that init prints work as they are printed', async () => {
  const folder = await begin()
  const { stderr } = await init(folder)
  expect(stderr).toContain('npm install, npm test, npm run synth')
  const npm = async (...options: string[]): Promise<string> =>
    (await run('npm', options, inFolder(folder))).stdout
  await npm('install', '--no-audit', '--no-fund', '--prefer-offline')
  expect(await npm('test', '--', '--test-reporter=tap')).toMatch(/^# pass 2$/m)
  await npm('run', 'check')
  await npm('run', 'synth')
  const written = await readFile(join(folder, 'cdktf.out', 'stacks', 'production', 'cdk.tf.json'), 'utf8')
  expect(written).toContain('deploymgmt_maintenance_window')
  expect(JSON.parse(written)).toMatchObject({ provider: { deploymgmt: [{ org_id: expect.any(String) }] } })
  expect(await npm('exec', '--', 'deploymgmt', '--version')).toMatch(/^\d+\.\d+\.\d+/)
})

test.each(['test', 'synth'])(
  'npm run %s in the starter refuses a Node.js that runs no TypeScript',
  async (script) => {
    const folder = await begin()
    await init(folder)
    const older = join(folder, 'older.cjs')
    await writeFile(older, "Object.defineProperty(process.versions, 'node', { value: '20.19.0' })")
    const { cwd, env } = inFolder(folder)
    const refused = await run('npm', ['run', script], {
      cwd,
      env: { ...env, NODE_OPTIONS: `--require=${older}` },
    }).catch((error: unknown) => error as { code: number; stderr: string })
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('This needs Node.js 22.21, 24.11, 26 or later'),
    })
    expect(refused.stderr).toContain('this is 20.19.0')
  },
)
