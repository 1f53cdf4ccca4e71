import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manifestWith, PROJECT } from '../support/installation.ts'
import { runHere } from '../support/command.ts'
import { resealed } from '../support/saved-plan.ts'
import { begin, beginApplied, only, type Scene } from '../support/scene.ts'

let here: Scene

const edited = async (name: string, edit: (value: any) => unknown): Promise<void> => {
  const path = join(here.folder, name)
  await writeFile(path, JSON.stringify(edit(JSON.parse(await readFile(path, 'utf8')))), { mode: 0o600 })
}

describe('a warning', () => {
  it('tells that the service is of another version than when the plan was saved', async () => {
    here = await begin({ manifest: manifestWith() })
    await here.run('plan', '--out', 'plan.bin')
    const saved = JSON.parse(await readFile(join(here.folder, 'plan.bin'), 'utf8'))
    expect(saved.serviceVersion).toContain('versionString=')
    const older = resealed({ ...saved, serviceVersion: 'versionString=0.0.9' })
    await writeFile(join(here.folder, 'plan.bin'), older, { mode: 0o600 })
    const { code, stderr } = await here.run('apply', 'plan.bin', '--auto-approve')
    expect(code).toBe(0)
    expect(stderr).toContain('Warning: the plan was made with version versionString=0.0.9 of the service')
    expect(stderr).toContain(saved.serviceVersion)
  })

  it.skipIf(process.platform === 'win32')('tells that others can read a saved plan', async () => {
    here = await begin({ manifest: manifestWith() })
    await here.run('plan', '--out', 'plan.bin')
    await chmod(join(here.folder, 'plan.bin'), 0o644)
    for (const words of [['plan'], ['apply', '--auto-approve']]) {
      const { code, stderr } = await here.run(...words, 'plan.bin')
      expect(code).toBe(0)
      expect(stderr).toMatch(/^Warning: .*plan\.bin can be read by others/)
    }
  })

  it('tells which of two private keys counts', async () => {
    here = await begin()
    const env = { ...here.env, DEPLOYMGMT_PRIVATE_KEY_FILE: join(here.folder, 'nowhere') }
    const words = ['get', 'alert_configurations', '--project-id', PROJECT, '--format', 'json']
    const { code, stdout, stderr } = await runHere({ folder: here.folder, env }, words)
    expect([code, JSON.parse(stdout).totalCount]).toEqual([0, 2])
    expect(stderr).toMatch(
      /^Warning: .* are both set: DEPLOYMGMT_PRIVATE_KEY counts, and the file is not read\n$/,
    )
  })

  it.each(['plan', 'apply', 'drift'])(
    'tells that something recorded is of a kind that is not known, in %s',
    async (command) => {
      here = await beginApplied(only('integrations', '  paging: { type: PAGING }'))
      await edited('deploymgmt.state.json', (state) => ({
        ...state,
        resources: {
          ...state.resources,
          'backups.nightly': {
            ...state.resources['integrations.paging'],
            kind: 'backup',
            identity: { id: 'x' },
          },
        },
      }))
      const words = command === 'apply' ? [command, '--auto-approve'] : [command]
      const { code, document } = await here.json(...words)
      expect(code).toBe(0)
      expect(document.warnings).toContain(
        'backups.nightly is recorded as a backup, a kind that this version does not know; it is left as it is',
      )
      expect((await here.state()).resources).toHaveProperty(['backups.nightly'])
    },
  )

  it.each(['plan', 'apply', 'drift'])('tells that a target met no instance, in %s', async (command) => {
    here = await begin({
      manifest: only('alertConfigurations', '  all: { select: { eventTypeName: HOST_DOWN }, enabled: true }'),
    })
    const target = ['--target', 'alertConfigurations.all[5d1113b25a115342acc2d9*]']
    const words = command === 'apply' ? [command, '--auto-approve'] : [command]
    const { code, document } = await here.json(...words, ...target)
    expect(code).toBe(0)
    expect(document.warnings).toContain(
      '--target alertConfigurations.all[5d1113b25a115342acc2d9*] matches nothing that is declared or recorded',
    )
  })

  it('no drift is claimed where nothing was looked at', async () => {
    here = await begin({
      manifest: only('alertConfigurations', '  all: { select: { eventTypeName: HOST_DOWN }, enabled: true }'),
    })
    const none = ['--target', 'alertConfigurations.all[5d1113b25a115342acc2d9*]']
    const { stdout } = await here.run('drift', ...none)
    expect(stdout).toContain('nothing among the targets')
    expect(stdout).not.toContain('no drift')
    expect((await here.run('drift', '--format', 'brief', ...none)).stdout).toMatch(
      /^Nothing among the targets/,
    )
  })
})

it('an apply does not repeat the warnings of its plan, which machines are told all the same', async () => {
  here = await beginApplied(only('integrations', '  paging: { type: PAGING }'))
  await here.control('POST', 'clock', { advance: 'P1D' })
  const { stdout } = await here.run('apply', '--auto-approve')
  expect(stdout.match(/the clocks of this machine and of the service differ/g)).toHaveLength(1)
  const quiet = await here.run('apply', '--auto-approve', '--quiet')
  expect(quiet.stdout).toContain('the clocks of this machine and of the service differ')
  const { document } = await here.json('apply', '--auto-approve')
  expect(document.warnings).toEqual([expect.stringContaining('the clocks of this machine')])
})

describe('a warning of a manifest', () => {
  const misspelt = only(
    'alertConfigurations',
    '  a: { select: { eventTypeName: HOST_DOWM }, allowEmpty: true, enabled: true }\n',
  )

  it('is one line in other commands, and shown in full by validate', async () => {
    here = await begin({ manifest: misspelt })
    const { stderr } = await here.run('plan')
    expect(stderr).toMatch(
      /^deploymgmt\.yaml:9:\d+ {2}warning: [^\n]*HOST_DOWM[^\n]*did you mean HOST_DOWN\?\n$/,
    )
    expect((await here.run('validate')).stderr).toMatch(/│ +\^+ +did you mean HOST_DOWN\?/)
  })

  it('is wrapped to COLUMNS where there is no terminal', async () => {
    here = await begin({ manifest: manifestWith() })
    const widest = async () =>
      Math.max(...(await here.run('plan')).stdout.split('\n').map(({ length }) => length))
    const before = await widest()
    here.env['COLUMNS'] = '70'
    expect([before > 70, (await widest()) <= 70]).toEqual([true, true])
  })
})
