import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kinds } from '@deploymgmt/provider/kinds'
import { load } from 'js-yaml'
import { afterAll, describe, expect, test } from 'vitest'
import { blocksOf, commandLinesIn, refusal } from './support/command-lines.ts'
import { runHere } from './support/command.ts'

const root = join(import.meta.dirname, '..')
const env = { PATH: process.env['PATH'] ?? '' }
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

const examples = await readdir(join(root, 'examples/yaml'))
const pipelines = await readdir(join(root, 'examples/ci'))

test.each(examples)('examples/yaml/%s is valid', async (name) => {
  const { code, stdout, stderr } = await runHere({ folder: root, env }, [
    'validate',
    '--file',
    `examples/yaml/${name}`,
  ])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/: \d+ (?:entry|entries), all valid\. Nothing was sent\./)
  expect(code).toBe(0)
})

test('examples/yaml shows each kind', async () => {
  const texts = await Promise.all(
    examples.filter((name) => name.endsWith('.yaml')).map((name) => read(`examples/yaml/${name}`)),
  )
  const shown = texts.flatMap((text) => Object.keys(load(text) as object))
  const sections = kinds.map(({ section }) => section)
  expect(sections.filter((section) => !shown.includes(section))).toEqual([])
})

test('examples/yaml/variables takes the variables that its first line shows', async () => {
  const words = commandLinesIn((await read('examples/yaml/variables/deploymgmt.yaml')).split('\n')[0] ?? '')
  const { code } = await runHere({ folder: root, env }, ['validate', ...(words[0] ?? []).slice(1)])
  expect(code).toBe(0)
})

describe.each(pipelines)('examples/ci/%s', (name) => {
  test('is YAML', async () => {
    expect(load(await read(`examples/ci/${name}`))).toBeTypeOf('object')
  })

  test('runs commands that there are', async () => {
    const lines = commandLinesIn(withoutComments(await read(`examples/ci/${name}`)))
    const run = lines.filter(([word]) => ['validate', 'plan', 'apply', 'drift'].includes(word ?? ''))
    expect(run.length).toBeGreaterThanOrEqual(3)
    for (const words of run) expect(await refusal(words)).toBeUndefined()
  })
})

/** What a pipeline does about the state after each apply, as a shell script. */
const keepingTheState = async (name: string): Promise<string> => {
  const pipeline = load(await read(`examples/ci/${name}`)) as {
    jobs?: { deploymgmt: { steps: { name?: string; run?: string }[] } }
    apply?: { after_script: string[] }
  }
  const step = pipeline.jobs?.deploymgmt.steps.find((each) => each.name === 'keep the state')
  return step?.run ?? pipeline.apply?.after_script.join('\n') ?? ''
}

describe.each(pipelines)('examples/ci/%s keeps the state', async (name) => {
  const script = await keepingTheState(name)
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-ci-'))
  afterAll(() => rm(folder, { recursive: true }))
  const [remote, checkout] = [join(folder, 'remote.git'), join(folder, 'checkout')]
  const variables = { HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null', CI_DEFAULT_BRANCH: 'main' }
  /** Runs as both systems do, ending at the first error; pushes go to the repository beside it. */
  const shell = (text: string, cwd: string): string => {
    const local = text.replace(/"https:\/\/oauth2:[^"]*"/, `"${remote}"`)
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', local], {
      cwd,
      env: { ...env, ...variables },
      encoding: 'utf8',
    })
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
    return stdout
  }
  const kept = (): string[] => shell('git ls-tree --name-only main', remote).trim().split('\n')

  test('from its first run on, when there is none yet', async () => {
    shell(
      `git init -q --bare -b main remote.git && git clone -q remote.git checkout && cd checkout &&
       git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m begin && git push -q origin HEAD:main`,
      folder,
    )
    shell(script, checkout)
    expect(kept()).toEqual([''])
    for (const file of ['json', 'journal', 'json.lock'])
      await writeFile(join(checkout, `deploymgmt.state.${file}`), '{}')
    shell(script, checkout)
    expect(kept()).toEqual(['deploymgmt.state.journal', 'deploymgmt.state.json'])
    await rm(join(checkout, 'deploymgmt.state.journal'))
    shell(script, checkout)
    shell(script, checkout)
    expect(kept()).toEqual(['deploymgmt.state.json'])
  })
})

const withoutComments = (text: string): string => text.replaceAll(/^\s*#.*$/gm, '')

test('npm run quickstart plans, applies, finds nothing to do, and names who made the drift', async () => {
  const { code, output } = await runScript('examples/quickstart/quickstart.ts')
  expect(code).toBe(0)
  const steps = [
    '$ deploymgmt plan',
    '2 to create, 1 to adopt, 3 to adopt and change, 1 to delete',
    '$ deploymgmt state init',
    '$ deploymgmt apply --auto-approve',
    '2 created, 1 adopted, 3 adopted and changed, 1 deleted',
    'nothing to do',
    '$ deploymgmt drift',
    'alertConfigurations.connections',
    'by key "oncall"',
    '1 drifted, 3 not verifiable, 3 in sync · exit code 2',
    'To go on by yourself',
  ]
  let from = 0
  for (const step of steps) {
    const at = output.indexOf(step, from)
    expect(at, `${step} comes in its order`).toBeGreaterThanOrEqual(0)
    from = at + step.length
  }
  expect(output).not.toContain('Correct-Horse-7 ')
  for (const words of commandLinesIn(output.slice(output.indexOf('To go on by yourself'))))
    expect(await refusal(words)).toBeUndefined()
})

const runScript = (path: string): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, path)], { cwd: root, env })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })

describe('manifests in the guides', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-guides-'))
  afterAll(() => rm(folder, { recursive: true }))

  test.each(['README.md', 'docs/manifest.md'])('%s shows valid ones', async (page) => {
    const blocks = blocksOf(await read(page), 'yaml').filter((block) => block.startsWith('version: 1'))
    expect(blocks.length).toBeGreaterThan(0)
    for (const block of blocks) {
      await writeFile(join(folder, 'deploymgmt.yaml'), block)
      const { stderr, code } = await runHere({ folder, env }, ['validate'])
      expect(stderr).toBe('')
      expect(code).toBe(0)
    }
  })
})
