import { spawn } from 'node:child_process'
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
const pipelines = (await readdir(join(root, 'examples/ci'))).filter((name) => !/terraform|\.sh$/.test(name))

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

test.each(['staging', 'production'])(
  'examples/yaml/environments has %s, with the command of its first line',
  async (name) => {
    const text = await read(`examples/yaml/environments/${name}/overlay.yaml`)
    const [words = []] = commandLinesIn(text.split('\n')[0] ?? '')
    const { code, stdout } = await runHere({ folder: root, env }, ['validate', ...words.slice(1)])
    expect(code).toBe(0)
    expect(stdout).toContain(`example-${name}: ${name === 'staging' ? 2 : 3} entries, all valid`)
  },
)

describe.each(pipelines)('examples/ci/%s', (name) => {
  test('runs commands that there are', async () => {
    const lines = commandLinesIn(withoutComments(await read(`examples/ci/${name}`)))
    const run = lines.filter(([word]) => ['validate', 'plan', 'apply', 'drift'].includes(word ?? ''))
    expect(run.length).toBeGreaterThanOrEqual(2)
    for (const words of run) expect(await refusal(words)).toBeUndefined()
  })
})

const withoutComments = (text: string): string => text.replaceAll(/^\s*#.*$/gm, '')

test('npm run quickstart plans, applies, finds nothing to do, and names who made the drift', async () => {
  const { code, output } = await runScript('examples/quickstart/quickstart.ts')
  expect(code).toBe(0)
  const steps = [
    '$ deploymgmt plan',
    '2 to create, 1 to adopt, 3 to adopt and change (1 turned off), 1 to delete',
    '$ deploymgmt state init',
    '$ deploymgmt apply --auto-approve',
    '2 created, 1 adopted, 3 adopted and changed (1 turned off), 1 deleted',
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
