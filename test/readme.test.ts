import { copyFile, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@deploymgmt/provider/api'
import { startService } from '@deploymgmt/service'
import { describe, expect, test } from 'vitest'
import { capabilitiesTable } from '../scripts/docs/capabilities.ts'
import { documents } from '../scripts/documents.ts'
import { blocksOf, commandLinesIn, refusal } from './support/command-lines.ts'
import { runHere } from './support/command.ts'
import { brokenLinks } from './support/links.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')
const readme = await read('README.md')

const generated = new Set(documents.map(({ path }) => path))
const pages: string[] = []
const WRITTEN = ['{README,CONTRIBUTING,CHANGELOG}.md', 'docs/**/*.md', '{bench,examples,test}/**/README.md']
for await (const path of glob(WRITTEN, { cwd: root, exclude: ['**/node_modules'] }))
  if (!generated.has(path)) pages.push(path)

describe.each(pages.toSorted())('%s', (page) => {
  test('links to what exists', async () => {
    expect(await brokenLinks(page, await read(page))).toEqual([])
  })

  test('shows commands that the command line takes', async () => {
    const text = await read(page)
    const typed = blocksOf(text, 'console')
      .join('\n')
      .split('\n')
      .filter((line) => line.startsWith('$ '))
    for (const words of commandLinesIn([...blocksOf(text, 'sh'), ...typed].join('\n')))
      expect(`${words.join(' ')}: ${(await refusal(words)) ?? 'taken'}`).toBe(`${words.join(' ')}: taken`)
  })

  test('names npm scripts that there are', async () => {
    // A page about the starter means the scripts of the folder that a reader has copied.
    const manifests = ['package.json', 'examples/typescript/starter/package.json']
    const parsed = await Promise.all(
      manifests.map(async (path) => JSON.parse(await read(path)) as { scripts: object }),
    )
    const scripts = Object.assign({}, ...parsed.map((each) => each.scripts)) as Record<string, string>
    const named = [...(await read(page)).matchAll(/npm run ([\w:]+)/g)].map((match) => match[1] ?? '')
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  })
})

test('README.md has the capability table as it is generated', () => {
  expect(readme).toContain(capabilitiesTable('docs/'))
})

const KEYS = {
  pipeline: { publicKey: 'ciadmin', privateKey: '9d2c2a3e-quickstart-key' },
  onCall: { publicKey: 'oncall', privateKey: '1f2e3d4c-quickstart-key' },
}
const CONFIGURATIONS = '/groups/5c8100bcf2a30b12ff88258f/alertConfigs'

/** The quickstart's service and an empty folder, as for a reader of the README or of the tour. */
const asTheReader = async (
  use: (reader: {
    folder: string
    run: Run
    outside: (path: string, body: object) => Promise<void>
  }) => Promise<void>,
): Promise<void> => {
  const service = await startService({ fixture: join(root, 'examples/quickstart/fixture.yaml') })
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-readme-'))
  const env = {
    PATH: process.env['PATH'] ?? '',
    DEPLOYMGMT_BASE_URL: service.baseUrl,
    DEPLOYMGMT_PUBLIC_KEY: KEYS.pipeline.publicKey,
    DEPLOYMGMT_PRIVATE_KEY: KEYS.pipeline.privateKey,
    DANA_INITIAL_PASSWORD: 'Correct-Horse-7',
  }
  const run: Run = async (words) => {
    const { stdout, stderr, code } = await runHere({ folder, env }, words)
    return { output: `${stderr}${stdout}`, code }
  }
  const outside = async (path: string, body: object) => {
    const client = createClient({ baseUrl: service.baseUrl, ...KEYS.onCall })
    await client.send('PATCH', path, body)
    await client.close()
  }
  try {
    await use({ folder, run, outside })
  } finally {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  }
}
type Run = (words: readonly string[]) => Promise<{ output: string; code: number | null }>

/** Replaces everything that differs from run to run or from day to day. */
const steady = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?(?: UTC)?/g, 'WHEN')
    .replaceAll(/\(in \d+ \w+\)/g, '(in a while)')
    .replaceAll(/\d+\.\d\d s\b/g, 'N s')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/event [0-9a-f]{4}…/g, 'event ID')
    .trimEnd()

const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const linesOf = (text: string): string[] => steady(text).split('\n')

test('README.md shows the plan that its manifest leads to', async () => {
  const manifest = blocksOf(readme, 'yaml')[0] ?? ''
  const dated = manifest.replaceAll('2026-12-05', dayIn(15))
  const before = dated.replace(/^maintenanceWindows:\n.*\n/m, '').replace(/^integrations:\n.*\n.*\n/m, '')
  await asTheReader(async ({ folder, run, outside }) => {
    await writeFile(join(folder, 'deploymgmt.yaml'), before)
    await run(['state', 'init'])
    expect((await run(['apply', '--auto-approve'])).code).toBe(0)
    await outside(`${CONFIGURATIONS}/5d1113b25a115342acc2d0f3`, { enabled: false })
    await writeFile(join(folder, 'deploymgmt.yaml'), dated)
    expect(linesOf((await run(['plan'])).output)).toEqual(linesOf(blocksOf(readme, 'text')[0] ?? ''))
  })
})

test('README.md shows the error that a misspelt role leads to', async () => {
  const manifest = (blocksOf(readme, 'yaml')[0] ?? '').replace('ORG_MEMBER', 'ORG_REDA_ONLY')
  await asTheReader(async ({ folder, run }) => {
    await writeFile(join(folder, 'deploymgmt.yaml'), manifest)
    expect(linesOf((await run(['validate'])).output)).toEqual(linesOf(blocksOf(readme, 'text')[1] ?? ''))
  })
})

/** Lines about single changes, whose order is that of the answers. */
const DONE = /^ {2}\S (?:adopted|changed|created|deleted) .*$/gm

/** The parts between ellipses: within a part, nothing is left out. */
const partsOf = (shown: string): string[][] => {
  const text = steady(shown)
  const others = text
    .replaceAll(DONE, '…')
    .split(/^…$/m)
    .map((part) => part.replaceAll(/^\n+|\s+$/g, ''))
  return [...(text.match(DONE) ?? []), ...others.filter((part) => part !== '')].map((part) =>
    part.split('\n'),
  )
}

const follows = (came: readonly string[], part: readonly string[]): boolean =>
  came.some((_, at) => part.every((each, index) => came[at + index] === each))

test('docs/tour.md shows a tour whose commands work and print what is shown', async () => {
  const tour = await read('docs/tour.md')
  await asTheReader(async ({ folder, run, outside }) => {
    await copyFile(join(root, 'examples/quickstart/deploymgmt.yaml'), join(folder, 'deploymgmt.yaml'))
    for (const { line, shown } of blocksOf(tour, 'console').flatMap((block) => stepsOf(block))) {
      if (line.startsWith('curl ')) {
        const path = /\$DEPLOYMGMT_BASE_URL(\S+)/.exec(line)?.[1] ?? ''
        await outside(path, JSON.parse(/-d '([^']*)'/.exec(line)?.[1] ?? '') as object)
        continue
      }
      const { output } = await run(commandLinesIn(line)[0] ?? [])
      const came = linesOf(output)
      const missing = partsOf(shown).filter((part) => !follows(came, part))
      expect(missing, `${line}\n${output}`).toEqual([])
    }
  })
})

/** A terminal session: each command with its output. */
const stepsOf = (block: string): { line: string; shown: string }[] =>
  block
    .split(/^\$ /m)
    .filter((step) => step !== '')
    .map((step) => {
      const [line = '', ...shown] = step.split('\n')
      return { line, shown: shown.join('\n') }
    })

test('README.md names no Node.js of which npm would warn for a workspace of ours', async () => {
  const oldest = /They need Node\.js (\d+),/.exec(readme)?.[1]
  const { packages } = JSON.parse(await read('package-lock.json')) as {
    packages: Record<string, { engines?: { node?: string } }>
  }
  for (const workspace of ['', 'provider', 'reconciler', 'constructs', 'service']) {
    const { engines } = JSON.parse(await read(join(workspace, 'package.json'))) as { engines?: object }
    expect([workspace, engines]).toEqual([workspace, { node: `>=${oldest}` }])
    expect(packages[workspace]?.engines).toEqual(engines)
  }
})

test('decision 0003 gives a reason for every runtime dependency', async () => {
  const reasons = await read('docs/decisions/0003-runtime-dependencies.md')
  const manifests = await Promise.all(
    ['provider', 'reconciler', 'service'].map((workspace) => read(`${workspace}/package.json`)),
  )
  const names = manifests.flatMap((text) => {
    // What the command is bundled from is a development dependency of its package.
    const { dependencies, devDependencies } = JSON.parse(text) as Record<string, object | undefined>
    return Object.keys({ ...dependencies, ...devDependencies })
  })
  expect(
    names.filter((name) => !name.startsWith('@deploymgmt/') && !reasons.includes(`\`${name}\``)),
  ).toEqual([])
})
