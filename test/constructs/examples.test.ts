import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokenLinks } from '../support/links.ts'
import { apps, root, run } from './support/consumer.ts'

const examples = join(root, 'examples', 'typescript')

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deploymgmt-examples-'))
})
afterAll(async () => rm(folder, { recursive: true, force: true }))

const filesIn = async (cwd: string, patterns: readonly string[]): Promise<string[]> => {
  const found: string[] = []
  for await (const path of glob(patterns, { cwd })) found.push(path)
  return found.toSorted()
}

const synthesized = async (command: readonly string[], cwd: string): Promise<string[]> => {
  const outdir = await mkdtemp(join(folder, 'out-'))
  const [program = '', ...options] = command
  await run(program, options, { cwd, env: { ...process.env, CDKTF_OUTDIR: outdir } })
  const found = await filesIn(outdir, ['stacks/*/cdk.tf.json'])
  return Promise.all(found.map(async (path) => readFile(join(outdir, path), 'utf8')))
}

test('every app among the examples is here', async () => {
  expect(await filesIn(examples, ['constructs/*.ts', '*/main.ts'])).toEqual(apps)
})

test.each(apps)('%s synthesizes, twice the same', async (app) => {
  const command = [process.execPath, join(examples, app)]
  const [once, again] = await Promise.all([synthesized(command, root), synthesized(command, root)])
  expect(once).toHaveLength(1)
  expect(Object.keys((JSON.parse(once[0] ?? '') as { resource: object }).resource).length).toBeGreaterThan(0)
  expect(again).toEqual(once)
})

test.each(['.', 'examples/typescript/starter'])(
  '%s/cdktf.json names an app that synthesizes',
  async (path) => {
    const { app } = JSON.parse(await readFile(join(root, path, 'cdktf.json'), 'utf8')) as { app: string }
    const [node, ...options] = app.split(' ')
    expect(node).toBe('node')
    expect(await synthesized([process.execPath, ...options], join(root, path))).toHaveLength(1)
  },
)

test.each(['organization', 'starter'])('the tests of %s pass', async (name) => {
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: join(examples, name),
  })
  expect(stdout).toMatch(/^# pass [1-9]/m)
  expect(stdout).toMatch(/^# fail 0$/m)
})

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}
const readManifest = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as Manifest

test('warnings of constructs are on stderr, and what is declared is written all the same', async () => {
  const outdir = await mkdtemp(join(folder, 'out-'))
  const app = join(folder, 'warned.cjs')
  await writeFile(app, WARNED)
  const { stderr } = await run(process.execPath, [app], { env: { ...process.env, CDKTF_OUTDIR: outdir } })
  expect(stderr).toBe(
    'warning: acme/alerts: alerts.down.select.eventTypeName: "HOST_DWN" is not a known event type; did you mean HOST_DOWN?\n' +
      'warning: acme/other: said by another library\n',
  )
  expect(await filesIn(outdir, ['stacks/*/cdk.tf.json'])).toHaveLength(1)
})

const WARNED = `
const { AlertPolicy, DeploymgmtProvider, synthesize } = require('${join(root, 'constructs')}')
const { Annotations, App, TerraformStack } = require('${join(root, 'node_modules', 'cdktf')}')
const { Construct } = require('${join(root, 'node_modules', 'constructs')}')
const app = new App()
const stack = new TerraformStack(app, 'acme')
new DeploymgmtProvider(stack, 'deploymgmt')
const alerts = { down: { select: { eventTypeName: 'HOST_DWN' }, enabled: true } }
new AlertPolicy(stack, 'alerts', { projects: { payments: '5c8100bcf2a30b12ff88258f' }, alerts })
Annotations.of(new Construct(stack, 'other')).addWarning('said by another library')
synthesize(app)
`

test('every app among the examples prints its warnings', async () => {
  const texts = await Promise.all(apps.map(async (app) => readFile(join(examples, app), 'utf8')))
  expect(texts.filter((text) => !text.endsWith('\nsynthesize(app)\n'))).toEqual([])
})

test('the starter is a project of its own, with the versions that are tested here', async () => {
  const { dependencies, devDependencies } = await readManifest(join(examples, 'starter'))
  const wanted = { ...dependencies, ...devDependencies }
  const tested = await Promise.all(
    Object.keys(wanted).map(async (name) => {
      const { version } = await readManifest(join(root, 'node_modules', name))
      return [name, version] as const
    }),
  )
  expect(wanted).toEqual(Object.fromEntries(tested))
  await run(process.execPath, [join(root, 'node_modules', '.bin', 'tsc'), '-p', join(examples, 'starter')])
})

describe('docs/constructs', () => {
  test.each(apps.filter((app) => app.startsWith('constructs/')))(
    'has a page with %s as it is',
    async (app) => {
      const name = app.replace('constructs/', '').replace('.ts', '')
      const page = `docs/constructs/${name}.md`
      const text = await readFile(join(root, page), 'utf8')
      const example = await readFile(join(examples, app), 'utf8')
      expect(text).toContain(`\`\`\`ts\n${example}\`\`\``)
      expect(await brokenLinks(page, text)).toEqual([])
    },
  )
})
