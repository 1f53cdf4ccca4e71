import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { FOLDER } from '../support/folder.ts'
import { DIALECTS, forgeLike, type Forge } from '../support/forge.ts'

const TELL = join(import.meta.dirname, '..', '..', 'examples', 'ci', 'tell.sh')
const isMissing = ['bash', 'curl', 'jq'].some((tool) => spawnSync(tool, ['--version']).error !== undefined)
const systems = Object.keys(DIALECTS) as (keyof typeof DIALECTS)[]

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(FOLDER)
  return () => rm(folder, { recursive: true })
})

const reportOf = (report: 'plan' | 'drift', name: string, more: string): string =>
  `### ${more}\n\n<!-- deploymgmt:${report}:${name} -->\n\n| \`a\\"b\` | $(false) \`\n`

const at = (night: string): string => reportOf('drift', 'acme', night)

const tell = async (
  { env }: Forge,
  ...words: string[]
): Promise<{ readonly code: number | null; readonly said: string }> => {
  const child = spawn(TELL, words, { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...env } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  expect(said).not.toContain('canary')
  return { code, said }
}

/** Writes a report to a file and runs tell.sh for it. */
const told = async (forge: Forge, text: string, ...words: string[]): Promise<void> => {
  await writeFile(join(folder, 'report.md'), text)
  const [what = '', ...more] = words
  expect(await tell(forge, what, 'report.md', ...more)).toEqual({ code: 0, said: '' })
}

describe.skipIf(isMissing).each(systems)('examples/ci/tell.sh at %s', (system) => {
  it('writes one comment, and replaces it', async () => {
    const forge = await forgeLike(system)
    const [first, second] = [reportOf('plan', 'acme', 'one'), reportOf('plan', 'acme', 'two')]
    await told(forge, first, 'comment')
    expect(forge.comments.get('pull/7')).toMatchObject([{ text: first }])
    await told(forge, second, 'comment')
    expect(forge.comments.get('pull/7')).toMatchObject([{ text: second }])
  })

  it('finds its comment among many, and leaves those of other manifests and of whoever quotes it', async () => {
    const forge = await forgeLike(system)
    const others = Array.from({ length: 130 }, (_, id) => ({
      id: id + 1,
      text: id === 3 ? `> <!-- deploymgmt:plan:acme -->` : reportOf('plan', 'acme-2', String(id)),
    }))
    // A forge may change line endings.
    const ours = { id: 131, text: reportOf('plan', 'acme', 'one').replaceAll('\n', '\r\n') }
    forge.comments.set('pull/7', [...others, ours])
    await told(forge, reportOf('plan', 'acme', 'two'), 'comment')
    const after = forge.comments.get('pull/7') ?? []
    expect(after.slice(0, -1)).toEqual(others)
    expect(after.at(-1)).toMatchObject({ id: 131, text: reportOf('plan', 'acme', 'two') })
  })

  it('writes into no comment of somebody else, who could change afterwards what it says', async () => {
    const forge = await forgeLike(system)
    const [first, second] = [reportOf('plan', 'acme', 'one'), reportOf('plan', 'acme', 'two')]
    const bait = { id: 1, text: reportOf('plan', 'acme', 'bait'), by: 'mallory' }
    forge.comments.set('pull/7', [bait])
    await told(forge, first, 'comment')
    await told(forge, second, 'comment')
    expect(forge.comments.get('pull/7')).toMatchObject([bait, { text: second }])
  })

  it('has one issue of drift: opened, updated, closed on recovery, and opened again', async () => {
    const forge = await forgeLike(system)
    await told(forge, at('no drift'), 'issue', '0')
    expect(forge.issues).toEqual([])
    await told(forge, at('first'), 'issue', '2')
    const issue = { id: 1, title: 'deploymgmt: drift of acme', labels: ['deploymgmt-drift'] }
    expect(forge.issues).toMatchObject([{ ...issue, text: at('first') }])
    await told(forge, at('second'), 'issue', '2')
    expect(forge.issues).toMatchObject([{ ...issue, text: at('second'), isClosed: false }])
    await told(forge, at('an error'), 'issue', '1')
    expect(forge.issues).toMatchObject([{ text: at('second'), isClosed: false }])
    await told(forge, at('no drift'), 'issue', '0')
    expect(forge.issues).toMatchObject([{ text: at('second'), isClosed: true }])
    const note = { text: expect.stringMatching(/^There is no drift any more: https:\S+acme\/site\/\S+17$/) }
    expect(forge.comments.get('issue/1')).toMatchObject([note])
    await told(forge, at('no drift'), 'issue', '0')
    expect(forge.comments.get('issue/1')).toHaveLength(1)
    await told(forge, at('again'), 'issue', '2')
    expect(forge.issues).toMatchObject([{ ...issue, text: at('again'), isClosed: false }])
  })

  it('keeps the issues of two manifests apart', async () => {
    const forge = await forgeLike(system)
    await told(forge, reportOf('drift', 'acme', 'one'), 'issue', '2')
    await told(forge, reportOf('drift', 'other%20one', 'two'), 'issue', '2')
    await told(forge, reportOf('drift', 'acme', 'none'), 'issue', '0')
    expect(forge.issues.map(({ title, isClosed }) => [title, isClosed === true])).toEqual([
      ['deploymgmt: drift of acme', true],
      ['deploymgmt: drift of other%20one', false],
    ])
  })

  it('fails with what the system answers, and shows no token', async () => {
    const forge = await forgeLike(system)
    forge.readOnly = true
    await writeFile(join(folder, 'report.md'), reportOf('plan', 'acme', 'one'))
    const { code, said } = await tell(forge, 'comment', 'report.md')
    expect(code).toBe(22)
    expect(said).toContain('403')
  })

  it('says nothing of a command that has left no report, and refuses what is none', async () => {
    const forge = await forgeLike(system)
    expect(await tell(forge, 'comment', 'nowhere.md')).toEqual({ code: 0, said: '' })
    await writeFile(join(folder, 'other.md'), 'a <!-- deploymgmt:plan:acme -->\n')
    expect(await tell(forge, 'comment', 'other.md')).toMatchObject({ code: 1 })
    expect(await tell(forge, 'else')).toMatchObject({ code: 1 })
    expect(forge.requests).toEqual([])
  })
})

describe.skipIf(isMissing)('examples/ci/tell.sh to a chat', () => {
  it('sends the message, in which nothing calls everybody', async () => {
    const forge = await forgeLike('github')
    await writeFile(join(folder, 'drift.txt'), '1 drifted · "a" & <!channel>\nsee\n')
    expect(await tell(forge, 'chat', 'drift.txt')).toEqual({ code: 0, said: '' })
    expect(forge.chat).toEqual([{ text: '1 drifted · "a" &amp; &lt;!channel&gt;\nsee' }])
  })

  it('tells of a failure that has left no message, and is silent without a hook', async () => {
    const forge = await forgeLike('gitlab')
    expect(await tell(forge, 'chat', 'nowhere.txt')).toMatchObject({ code: 0 })
    expect(forge.chat).toEqual([{ text: 'deploymgmt ended with an error, and its log says which' }])
    const without = { ...forge, env: { ...forge.env, DEPLOYMGMT_CHAT_HOOK: '' } }
    expect(await tell(without, 'chat', 'nowhere.txt')).toEqual({ code: 0, said: '' })
    expect(forge.chat).toHaveLength(1)
  })
})

it.skipIf(isMissing)('examples/ci/tell.sh is taken by the shell as it is meant', () => {
  expect(execFileSync('bash', ['-n', TELL]).toString()).toBe('')
})
