import { execFileSync } from 'node:child_process'
import { link, mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readPlanFile } from '../../reconciler/plan-file/file.ts'
import { manifestWith, type Installation } from '../support/installation.ts'
import { runHere } from '../support/command.ts'
import { runProcess } from '../support/process.ts'
import { begin, only } from '../support/scene.ts'

let here: Installation

const written = (name: string): Promise<string> => readFile(join(here.folder, name), 'utf8')

describe('--output', () => {
  it.each([
    ['text', 'test: 7 entries, all valid'],
    ['json', '"formatVersion": 1,\n  "valid": true'],
  ])('takes what validate says, in %s', async (format, said) => {
    here = await begin({ manifest: manifestWith() })
    expect(await here.run('validate', '--format', format, '--output', 'said.txt')).toMatchObject({
      code: 0,
      stdout: '',
    })
    expect(await written('said.txt')).toContain(said)
  })

  it('takes how many entries are written, of which one can stand for several projects', async () => {
    const both = '[payments, 5c8100bcf2a30b12ff882590]'
    const entry = `  down: { projectIds: ${both}, select: { eventTypeName: HOST_DOWN }, enabled: true }`
    here = await begin({ manifest: only('alertConfigurations', entry) })
    expect((await here.run('validate')).stdout).toContain('test: 1 entry, all valid')
    expect((await here.json('validate')).document.entries).toBe(1)
  })

  it('takes the events of an apply, one a line, its summary last', async () => {
    here = await begin({ manifest: manifestWith() })
    const ran = await here.run('apply', '--auto-approve', '--format', 'json', '--output', 'events.ndjson')
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    const events = (await written('events.ndjson')).trim().split('\n')
    const types = events.map((line) => JSON.parse(line).type)
    expect(new Set(types.slice(0, -1))).toEqual(new Set(['started', 'finished']))
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ type: 'summary', exitCode: 0 })
  })

  it('takes the plan and the summary of an apply in text, without colour', async () => {
    here = await begin({ manifest: manifestWith() })
    const ran = await here.run('apply', '--auto-approve', '--output', 'apply.txt')
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    const text = await written('apply.txt')
    expect(text).toContain('maintenanceWindows.migration')
    expect(text).not.toContain('\u001B')
  })

  it('takes the summary of an apply that was refused', async () => {
    here = await begin({ manifest: manifestWith() })
    const ran = await here.run('apply', '--format', 'json', '--output', 'events.ndjson')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(await written('events.ndjson'))).toMatchObject({
      type: 'summary',
      error: { code: 'DM-NOT-CONFIRMED' },
    })
  })

  it('lets an apply send nothing where its file cannot be written', async () => {
    here = await begin({ manifest: manifestWith() })
    await here.forgetRequests()
    const ran = await here.run('apply', '--auto-approve', '--output', 'nowhere/apply.txt')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('DM-OUTPUT')
    expect((await here.requests()).log).toEqual([])
  })

  it('is no option of init, which has no data', async () => {
    here = await begin({ manifest: manifestWith() })
    const ran = await here.run('init', '--output', 'said.txt')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('unknown option')
    await expect(stat(join(here.folder, 'said.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.each([
    [['state', 'init', '--state', 'other.json'], 'An empty state was written'],
    [['state', 'mv', 'users.dana', 'users.dane'], 'users.dane'],
    [['state', 'forget', 'users.dana'], 'users.dana'],
    [['state', 'copy', '--from', 'deploymgmt.state.json', '--to', 'other.json'], 'other.json'],
    [['state', 'push', 'pushed.json', '--state', 'other.json'], 'other.json'],
    [['drift', 'accept', '--baseline', '--reason', 'as found'], 'Nothing has drifted'],
  ])('takes what %j says that it has done, in text and as data', async (words, part) => {
    for (const format of ['text', 'json']) {
      here = await begin({ manifest: manifestWith() })
      await here.run('apply', '--auto-approve')
      await here.run('state', 'pull', '--output', 'pushed.json')
      expect(await here.run(...words, '--format', format, '--output', 'said.txt')).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      })
      expect(await written('said.txt')).toContain(part)
    }
    expect(JSON.parse(await written('said.txt'))).toMatchObject({ formatVersion: 1 })
  })

  it.each([
    [['state', 'init', '--state', 'other.json'], 'nowhere/said.txt', 'DM-OUTPUT'],
    [['state', 'forget', 'users.dana'], 'nowhere/said.txt', 'DM-OUTPUT'],
    [['state', 'forget', 'users.dana', '--format', 'json=nowhere/x'], 'said.txt', 'DM-OUTPUT'],
    [['state', 'forget', 'users.dana'], 'deploymgmt.state.json', 'would replace a file'],
    [['state', 'push', 'pushed.json'], 'pushed.json', 'would replace a file'],
    [['state', 'resolve', '--from', 'list.yaml'], 'list.yaml', 'would replace a file'],
    [['state', 'copy', '--from', 'a.json', '--to', 'b.json'], 'a.json', 'would replace a file'],
    [['state', 'copy', '--from', 'a.json', '--to', 'b.json'], 'b.json', 'would replace a file'],
    [['drift', 'accept', '--baseline', '--reason', 'x'], 'deploymgmt.accepted.yaml', 'would replace a file'],
  ])('lets %j change nothing where it cannot be %s', async (words, file, why) => {
    here = await begin({ manifest: manifestWith() })
    await here.run('apply', '--auto-approve')
    const before = await written('deploymgmt.state.json')
    const ran = await here.run(...words, '--output', file)
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(why) })
    expect(await written('deploymgmt.state.json')).toBe(before)
    await expect(stat(join(here.folder, 'other.json'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.each([
    [['schema', 'plan'], 'plan'],
    [['state', 'show', 'users.dana'], 'users.dana'],
  ])('of %j can be called like the word %s, which is no file', async (words, file) => {
    here = await begin({ manifest: manifestWith() })
    await here.run('apply', '--auto-approve')
    expect(await here.run(...words, '--output', file)).toMatchObject({ code: 0, stderr: '' })
    expect(await written(file)).not.toBe('')
  })

  it('is the state for state pull, which is JSON in each format', async () => {
    here = await begin({ manifest: manifestWith() })
    const { stdout } = await here.run('state', 'pull')
    for (const format of ['text', 'json']) {
      await here.run('state', 'pull', '--format', format, '--output', 'said.txt')
      expect(await written('said.txt')).toBe(stdout)
    }
  })

  it.each([
    ['--output', 'deploymgmt.state.json'],
    ['--output', './deploymgmt.yaml'],
    ['--out', 'deploymgmt.state.journal'],
  ])('never replaces what the command reads: %s %s', async (flag, path) => {
    here = await begin({ manifest: manifestWith() })
    const before = await written('deploymgmt.state.json')
    const { code, stderr } = await here.run('plan', flag, path)
    expect(code).toBe(1)
    expect(stderr).toContain(`${flag} ${path} would replace a file that the command itself reads`)
    expect(await written('deploymgmt.state.json')).toBe(before)
  })
})

const at = (name: string): string => join(here.folder, name)

/** The result of a command that would overwrite a file. */
const over = async (name: string, ...words: string[]) => {
  const before = await written(name)
  await here.forgetRequests()
  const { code, stderr } = await here.run(...words)
  const told = stderr.includes('would replace a file that the command itself reads')
  const { log } = await here.requests()
  return { code, told, kept: (await written(name)) === before, sent: log.length }
}
const REFUSED = { code: 1, told: true, kept: true, sent: 0 }

const withPasswordIn = (file: string): string =>
  only(
    'users',
    `  dana: { username: dana@example.com, password: { file: "${file}" } }`,
    'variables: { where: { default: passwords } }',
  )

const pipe = async (): Promise<{ name: string; said: Promise<string> }> => {
  const name = join(here.folder, 'pipe')
  execFileSync('mkfifo', [name])
  await symlink('pipe', join(here.folder, 'link'))
  return { name, said: readFile(name, 'utf8') }
}

describe('a file that a command reads is never written over', () => {
  it.each(['deploymgmt.yaml', 'deploymgmt.state.json'])('through a link: %s', async (name) => {
    here = await begin({ manifest: manifestWith() })
    await symlink(name, at('soft'))
    await link(at(name), at('hard'))
    for (const path of ['soft', 'hard']) {
      expect(await over(name, 'plan', '--output', path)).toEqual(REFUSED)
      expect(await over(name, 'drift', '--output', path)).toEqual(REFUSED)
      expect(await over(name, 'apply', '--auto-approve', '--output', path)).toEqual(REFUSED)
      expect(await over(name, 'plan', '--out', path)).toEqual(REFUSED)
    }
  })

  it('in a folder of manifests', async () => {
    here = await begin({ manifest: manifestWith() })
    await mkdir(at('infra'))
    await rename(at('deploymgmt.yaml'), at('infra/all.yaml'))
    expect(await over('infra/all.yaml', 'plan', '-f', 'infra', '--output', 'infra/all.yaml')).toEqual(REFUSED)
  })

  it.each(['DEPLOYMGMT_PRIVATE_KEY_FILE', 'DEPLOYMGMT_CA_FILE'])('that is named by %s', async (name) => {
    here = await begin({ manifest: manifestWith() })
    await writeFile(at('secret'), 'content')
    Object.assign(here.env, { DEPLOYMGMT_PRIVATE_KEY: '', [name]: at('secret') })
    expect(await over('secret', 'get', 'integrations', '--project-id', 'x', '--output', 'secret')).toEqual(
      REFUSED,
    )
    expect(await over('secret', 'plan', '--out', 'secret')).toEqual(REFUSED)
  })

  it('that holds a password which the manifest refers to', async () => {
    here = await begin({ manifest: manifestWith() })
    await mkdir(at('passwords'))
    await writeFile(at('passwords/dana'), 'Correct-Horse-7')
    for (const file of ['passwords/dana', '${var.where}/dana']) {
      await here.manifest(withPasswordIn(file))
      expect(await over('passwords/dana', 'validate', '--output', 'passwords/dana')).toEqual(REFUSED)
      expect(await over('passwords/dana', 'apply', '--auto-approve', '--output', 'passwords/dana')).toEqual(
        REFUSED,
      )
    }
  })

  it('that is the saved plan, or what the saved plan was made from', async () => {
    here = await begin({ manifest: manifestWith() })
    await rename(at('deploymgmt.yaml'), at('infra.yaml'))
    await rename(at('deploymgmt.state.json'), at('other.state.json'))
    const made = await here.run(
      'plan',
      '-f',
      'infra.yaml',
      '--state',
      'other.state.json',
      '--out',
      'plan.bin',
    )
    expect(made).toMatchObject({ code: 0 })
    for (const name of ['plan.bin', 'infra.yaml', 'other.state.json']) {
      expect(await over(name, 'apply', 'plan.bin', '--auto-approve', '--output', name)).toEqual(REFUSED)
      expect(await over(name, 'plan', 'plan.bin', '--output', name)).toEqual(REFUSED)
    }
  })

  it('nor is a plan by its own report', async () => {
    here = await begin({ manifest: manifestWith() })
    const { code, stderr } = await here.run('plan', '--out', 'x', '--output', './x')
    expect([code, stderr.includes('--output ./x and --out x name the same file')]).toEqual([1, true])
  })
})

describe('a pipe or device is written to, and never replaced', () => {
  it.each(['pipe', 'link'])('a plan is saved to a pipe: %s', async (name) => {
    here = await begin({ manifest: manifestWith() })
    const { said } = await pipe()
    expect(await here.run('plan', '--out', name)).toMatchObject({ code: 0 })
    await writeFile(join(here.folder, 'saved'), await said)
    expect((await readPlanFile(join(here.folder, 'saved'))).plan.savedPlan).toBe(true)
    expect((await stat(join(here.folder, 'pipe'))).isFIFO()).toBe(true)
  })

  it.each([
    ['validate', 'test: 7 entries, all valid'],
    ['plan', 'maintenanceWindows.migration'],
    ['apply', 'maintenanceWindows.migration'],
  ])('a report goes to a pipe: %s', async (command, part) => {
    here = await begin({ manifest: manifestWith() })
    const { name, said } = await pipe()
    const more = command === 'apply' ? ['--auto-approve'] : []
    expect(await here.run(command, ...more, '--output', 'pipe')).toMatchObject({ code: 0, stdout: '' })
    expect(await said).toContain(part)
    expect((await stat(name)).isFIFO()).toBe(true)
  })

  it.each(['validate', 'apply'])('%s reports to a device', async (command) => {
    here = await begin({ manifest: manifestWith() })
    const more = command === 'apply' ? ['--auto-approve'] : []
    const ran = await here.run(command, ...more, '--output', '/dev/null')
    expect(ran).toMatchObject({ code: 0, stdout: '' })
  })

  it.each(['/dev/stdout', '/dev/fd/1'])('%s is where stdout goes, whatever that is', async (path) => {
    here = await begin({ manifest: manifestWith() })
    const ran = await runProcess(here, 'validate', '--output', path)
    expect(ran).toMatchObject({ code: 0, stdout: 'test: 7 entries, all valid. Nothing was sent.\n' })
    const { stdout, stderr } = await runProcess(
      here,
      'plan',
      '--out',
      path,
      '--quiet',
      '--output',
      '/dev/stderr',
    )
    expect(JSON.parse(stdout)).toMatchObject({ savedPlan: true })
    expect(stderr).toContain('maintenanceWindows.migration')
  })
})

describe('a file that is called -', () => {
  const DATA = [['plan'], ['schema'], ['validate'], ['apply', '--auto-approve', '--format', 'json']]
  it.each(DATA)('is stdout for --output: %s', async (...words) => {
    here = await begin({ manifest: manifestWith() })
    const { code, stdout } = await here.run(...words, '--output', '-')
    expect(code).toBe(0)
    expect(stdout).toMatch(/maintenanceWindows|7 entries/)
    await expect(stat(at('-'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('is refused for --out, whose plan would be mixed with its report', async () => {
    here = await begin({ manifest: manifestWith() })
    const { code, stderr } = await here.run('plan', '--out', '-')
    expect(code).toBe(1)
    expect(stderr).toContain("option '--out <FILE>' argument '-' is invalid. It has to be the name of a file")
    await expect(stat(at('-'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await here.run('plan', '--out', './-')).toMatchObject({ code: 0 })
    expect(await written('-')).toContain('"savedPlan": true')
  })

  it.each(['--output', '--out', '--state', '-f'])('and one without a name is refused: %s', async (flag) => {
    here = await begin({ manifest: manifestWith() })
    const { code, stderr } = await here.run('plan', flag, '')
    expect(code).toBe(1)
    expect(stderr).toContain('It has to be the name of a file.')
  })

  it('is told in words where it cannot be written', async () => {
    here = await begin({ manifest: manifestWith() })
    await mkdir(at('folder'))
    const said = async (path: string) => (await here.run('validate', '--output', path)).stderr
    expect(await said('folder')).toContain('the file cannot be written: it is a folder (EISDIR)')
    expect(await said('nowhere/file')).toContain(
      'the file cannot be written: the folder does not exist (ENOENT)',
    )
    expect(await said('x'.repeat(300))).toContain(
      'the file cannot be written: its name is too long (ENAMETOOLONG)',
    )
  })
})

it.each([
  ['a mistake', ['validate'], 'alertTypeNames: [HOST], rolse: []'],
  ['a warning', ['validate'], 'alertTypeNames: [HOST, HOSTT]'],
  [
    'a mistake beside a new state',
    ['state', 'init', '--state', 'new.json'],
    'alertTypeNames: [HOST], rolse: []',
  ],
])('%s in a long line is quoted in the width of the terminal', async (_, words, fields) => {
  const times = 'startDate: 2035-12-05T02:00:00Z, endDate: 2035-12-05T04:00:00Z'
  here = await begin({ manifest: only('maintenanceWindows', `  long: { ${times}, ${fields} }`) })
  let shown = ''
  const stderr = Object.assign(
    new Writable({
      write: (chunk: Buffer, __, done) => {
        shown += chunk.toString()
        done()
      },
    }),
    { isTTY: true as const, columns: 60 },
  )
  await runHere(here, words, { stderr })
  const quoted = shown.split('\n').filter((line) => line.includes(' │ '))
  expect(quoted).toHaveLength(2)
  for (const line of quoted) expect(line.length).toBeLessThanOrEqual(60)
})
