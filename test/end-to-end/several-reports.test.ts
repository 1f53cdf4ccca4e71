import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { manifestWith, type Installation, PROJECT } from '../support/installation.ts'
import { formatsOf } from '../../reconciler/render/formats.ts'
import { start } from '../support/process.ts'
import { begin } from '../support/scene.ts'
import { asOnTerminal } from '../support/terminal.ts'
import { testCases } from '../reconciler/render/support/xml.ts'

let here: Installation

beforeEach(async () => {
  here = await begin({ manifest: manifestWith() })
})

const written = (name: string): Promise<string> => readFile(join(here.folder, name), 'utf8')

describe('several reports of one run', () => {
  it.each(['plan', 'drift'])('%s goes to stdout in one format, and to files in others', async (command) => {
    const words = ['--format', 'json=one.json', '--format', 'text', '--format', 'json=two.json']
    const { code, stdout } = await here.run(command, ...words)
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^deploymgmt ${command} · `))
    const document = await written('one.json')
    expect(JSON.parse(document)).toMatchObject({ formatVersion: 1, about: { manifest: 'test' } })
    expect(await written('two.json')).toBe(document)
  })

  it('are text on stdout where files alone are named, and coloured on a terminal alone', async () => {
    here.env['FORCE_COLOR'] = '1'
    const { stdout } = await here.run('plan', '--format', 'json=plan.json', '--format=text=plan.txt')
    expect(stdout).toContain('\u001B[')
    const text = await written('plan.txt')
    expect(text).toMatch(/^deploymgmt plan · /)
    expect(text).not.toContain('\u001B[')
  })

  it.each(['', '0', 'false'])('are coloured by no FORCE_COLOR that says %j', async (value) => {
    here.env['FORCE_COLOR'] = value
    expect((await here.run('plan')).stdout).not.toContain('\u001B[')
  })

  it.each(['0', 'false'])('are not coloured on a terminal, either, if FORCE_COLOR is %s', async (value) => {
    const env = { ...here.env, NO_COLOR: '', FORCE_COLOR: value }
    const { shown } = await asOnTerminal({ ...here, env }, 'plan', '--quiet').ended
    expect(shown).toMatch(/^deploymgmt plan · /)
    expect(shown).not.toContain('\u001B[')
  })

  it('leave --output to the one that would go to stdout', async () => {
    const words = ['--format', 'json', '--output', 'plan.json', '--format', 'text=plan.txt']
    expect(await here.run('plan', ...words)).toMatchObject({ code: 0, stdout: '' })
    expect(JSON.parse(await written('plan.json'))).toHaveProperty('changes')
    expect(await written('plan.txt')).toMatch(/^deploymgmt plan · /)
  })

  it.each(['-', '/dev/stdout'])('take %s for stdout', async (file) => {
    const { stdout } = await here.run('plan', '--format', `json=${file}`)
    expect(JSON.parse(stdout)).toHaveProperty('changes')
    const twice = await here.run('plan', '--format', 'text', '--format', `json=${file}`)
    expect(twice).toMatchObject({ code: 1, stdout: '' })
  })

  it('are those of what was read, and of what is saved, too', async () => {
    const got = await here.run('get', 'integrations', '--project-id', PROJECT, '--format', 'json=read.json')
    expect(got.code).toBe(0)
    expect(JSON.parse(await written('read.json'))).toHaveProperty('results')
    await here.run('plan', '--out', 'saved.json')
    await here.run('plan', 'saved.json', '--format', 'json=shown.json')
    expect(JSON.parse(await written('shown.json'))).toHaveProperty('saved.file', 'saved.json')
  })

  it('are all there but the one that cannot be written', async () => {
    const words = ['plan', '--format', 'json=/dev/full', '--format', 'text=plan.txt']
    const { code, stderr, stdout } = await here.run(...words)
    expect({ code, full: stderr.includes('/dev/full') }).toEqual({ code: 1, full: true })
    expect(await written('plan.txt')).toBe(stdout)
  })

  it('are empty rather than cut off where the disk becomes full', async () => {
    await writeFile(join(here.folder, 'plan.html'), 'an earlier report')
    const launcher = ['/bin/sh', '-c', `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`, process.execPath]
    const { code, stderr } = await start(here, ['plan', '--format', 'html=plan.html'], launcher).ended
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('plan.html') })
    expect(await written('plan.html')).toBe('')
  })
})

/** The message of a command that is refused before it sends or writes anything. */
const refused = async (...words: string[]): Promise<string> => {
  const before = await readdir(here.folder)
  await here.forgetRequests()
  const { code, stderr } = await here.run(...words)
  expect({ code, sent: (await here.requests()).log, files: await readdir(here.folder) }).toEqual({
    code: 1,
    sent: [],
    files: before,
  })
  return stderr
}

describe('what is asked for in vain is refused before anything is sent', () => {
  it.each([
    [
      ['plan', '--format', 'yaml=plan.yaml'],
      "argument 'yaml=plan.yaml' is invalid. Allowed choices are text, json",
    ],
    [
      ['plan', '--format', 'junit=plan.xml'],
      "argument 'junit=plan.xml' is invalid. Only deploymgmt drift has this format. Allowed choices are text, json",
    ],
    [['plan', '--format', 'json='], 'After = there has to be the name of a file'],
    [
      ['plan', '--format', 'json', '--format', 'text'],
      '--format json and --format text would both go to stdout',
    ],
    [
      ['plan', '--format', 'json=x', '--format', 'text=./x'],
      '--format json=x and --format text=./x name the same file',
    ],
    [['plan', '--format', 'json=x', '--out', 'x'], '--out x and --format json=x name the same file'],
    [['plan', '--format', 'json=x', '--output', 'x'], '--output x and --format json=x name the same file'],
    [['plan', '--format', 'json=nowhere/plan.json'], 'the file cannot be written'],
    [['drift', '--output', 'nowhere/drift.txt'], 'the file cannot be written'],
    [['drift', '--format', 'json=.'], 'the file cannot be written'],
    [['apply', '--format', 'json=events.ndjson'], 'Allowed choices are text, json'],
  ])('%j', async (words, said) => {
    expect(await refused(...words)).toContain(said)
  })

  it.each(['deploymgmt.yaml', 'deploymgmt.state.json'])(
    'a file that is read: %s, by any name',
    async (name) => {
      await mkdir(join(here.folder, 'a'))
      await symlink(join('..', name), join(here.folder, 'a', 'soft'))
      await link(join(here.folder, name), join(here.folder, 'a', 'hard'))
      const before = await written(name)
      for (const path of [name, `./a/../${name}`, 'a/soft', 'a/hard'])
        for (const command of ['plan', 'drift'])
          expect(await refused(command, '--format', `json=${path}`)).toContain(
            `--format json=${path} would replace a file that the command itself reads`,
          )
      expect(await written(name)).toBe(before)
    },
  )

  it.each(['deploymgmt.accepted.yaml', 'deploymgmt.silences.json', 'deploymgmt.silences.journal'])(
    'what a run finds beside its manifest: %s',
    async (name) => {
      await writeFile(join(here.folder, name), 'not read before it is refused')
      for (const flag of [
        ['--format', `sarif=${name}`],
        ['--output', name],
      ])
        expect(await refused('drift', ...flag)).toContain('would replace a file')
      expect(await written(name)).toBe('not read before it is refused')
    },
  )

  it('a state that is named under otherStates', async () => {
    await writeFile(
      join(here.folder, 'deploymgmt.yaml'),
      manifestWith().replace('\n', '\notherStates: [theirs.json]\n'),
    )
    await writeFile(join(here.folder, 'theirs.json'), '{}')
    expect(await refused('plan', '--format', 'json=theirs.json')).toContain('would replace a file')
  })

  it('the file of accepted drift that is named', async () => {
    await writeFile(join(here.folder, 'ours.yaml'), 'version: 1')
    const words = ['drift', '--accepted', 'ours.yaml', '--format', 'json=./ours.yaml']
    expect(await refused(...words)).toContain('--format json=./ours.yaml would replace a file')
  })

  it('a key file', async () => {
    const path = join(here.folder, 'key')
    Object.assign(here.env, { DEPLOYMGMT_PRIVATE_KEY: '', DEPLOYMGMT_PRIVATE_KEY_FILE: path })
    await symlink('deploymgmt.yaml', path)
    expect(await refused('drift', '--format', 'text=key')).toContain('would replace a file')
  })
})

describe('a failure', () => {
  it('is told as what was asked for on stdout, and not there as what goes to a file', async () => {
    const wrong = ['plan', '-f', 'nowhere.yaml', '--format', 'json']
    const { stdout } = await here.run(...wrong, '--format', 'text=plan.txt')
    expect(JSON.parse(stdout)).toHaveProperty('error.code')
    expect((await here.run('plan', '-f', 'nowhere.yaml', '--format', 'json=plan.json')).stdout).toBe('')
  })

  it('takes the place of the report in each file, so that none of an earlier run is taken for it', async () => {
    const names = formatsOf('drift')
    const words = names.flatMap((name) => ['--format', `${name}=drift.${name}`])
    expect((await here.run('drift', ...words)).code).toBe(0)
    here.env['DEPLOYMGMT_PRIVATE_KEY'] = 'wrong'
    expect((await here.run('drift', ...words)).code).toBe(1)
    const shown = new Map(
      await Promise.all(names.map(async (name) => [name, await written(`drift.${name}`)] as const)),
    )
    for (const [name, text] of shown)
      expect([name, text]).toEqual([name, expect.stringContaining('DM-AUTH-REJECTED')])
    expect(testCases(shown.get('junit') ?? '')).toMatchObject([{ result: 'error', type: 'DM-AUTH-REJECTED' }])
    expect(JSON.parse(shown.get('sarif') ?? '')).toMatchObject({
      runs: [{ invocations: [{ executionSuccessful: false }] }],
    })
    expect(JSON.parse(shown.get('json') ?? '')).toHaveProperty('error.code', 'DM-AUTH-REJECTED')
    expect(shown.get('markdown')).toMatch(/^### Failed: DM-AUTH-REJECTED/)
    expect(shown.get('markdown')).not.toContain('<!--')
    expect(shown.get('brief')).toMatch(/^Failed: DM-AUTH-REJECTED.*\n(?:.+\n){1,3}$/)
  })

  it('is in the file of --output, too, and keeps the other reports of a run that had only one to miss', async () => {
    await here.run('plan', '-f', 'nowhere.yaml', '--format', 'json', '--output', 'plan.json')
    expect(JSON.parse(await written('plan.json'))).toHaveProperty('error.code')
    const words = ['--format', 'json=/dev/full', '--format', 'markdown=plan.md']
    expect((await here.run('plan', ...words)).code).toBe(1)
    expect(await written('plan.md')).toMatch(/^### Plan: /)
  })

  it('is in those files that can be written where another cannot', async () => {
    const words = ['--format', 'json=nowhere/plan.json', '--format', 'markdown=plan.md']
    expect((await here.run('plan', ...words)).code).toBe(1)
    expect(await written('plan.md')).toMatch(/^### Failed: DM-OUTPUT/)
  })
})
