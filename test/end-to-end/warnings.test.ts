import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manifestWith, PROJECT } from '../support/installation.ts'
import { runHere } from '../support/command.ts'
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
    await edited('plan.bin', (plan) => ({ ...plan, serviceVersion: 'versionString=0.0.9' }))
    const { code, stderr } = await here.run('apply', 'plan.bin', '--auto-approve')
    expect(code).toBe(0)
    expect(stderr).toContain('Warning: the plan was made with version versionString=0.0.9 of the service')
    expect(stderr).toContain(saved.serviceVersion)
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
        'backups.nightly is recorded as a backup, which is no kind here; it is left as it is',
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
      '--target alertConfigurations.all[5d1113b25a115342acc2d9*] meets nothing that is declared or recorded',
    )
  })
})
