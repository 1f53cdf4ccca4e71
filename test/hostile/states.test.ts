import { execFileSync } from 'node:child_process'
import { readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { runHere } from '../support/command.ts'
import { manifestWith, PROJECT, type Installation } from '../support/installation.ts'
import { resealed } from '../support/saved-plan.ts'
import { begin } from '../support/scene.ts'
import { shareOf, soakKills } from '../support/soak.ts'
import { edited, placesIn } from './support/mutations.ts'
import { OBEYED } from '../support/obeyed.ts'
import { defectsOf } from './support/told.ts'

let here: Installation
const READS = [['state', 'list'], ['plan'], ['drift']]
const APPLY = ['apply', '--auto-approve']
const begun = async (): Promise<void> => {
  here = await begin({ manifest: manifestWith() })
}
const at = (name: string): string => join(here.folder, name)

describe('a file of the state that is no file', () => {
  const NAMES = ['deploymgmt.state.json', 'deploymgmt.state.journal', 'deploymgmt.state.json.lock']
  const KINDS: [string, (path: string) => unknown][] = [
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a device without end', (path) => symlink('/dev/zero', path)],
    ['a device with nothing in it', (path) => symlink('/dev/null', path)],
  ]
  it.each(KINDS)('does not hinder what takes no lock: a lock as %s', async (_, make) => {
    await begun()
    await make(at('deploymgmt.state.json.lock'))
    for (const words of READS) expect(await here.run(...words)).toMatchObject({ code: 0 })
  })

  it.each(NAMES.flatMap((name) => KINDS.map(([what, make]) => [name, what, make] as const)))(
    'is refused, and not waited for: %s as %s',
    async (name, _, make) => {
      await begun()
      await rename(at(name), at('aside')).catch(() => undefined)
      await make(at(name))
      // Commands that only read take no lock.
      const commands = name.endsWith('.lock') ? [APPLY] : [...READS, APPLY]
      for (const words of commands) {
        const { code, stderr } = await here.run(...words)
        expect({ words, code }).toEqual({ words, code: 1 })
        expect(stderr).toMatch(
          /^Error DM-STATE-(?:READ|WRITE): cannot (?:read|write) the [a-z ]+: it is not a file/m,
        )
      }
    },
  )
})

test('a key, a password and a plan are not read from a device without end', async () => {
  await begun()
  await symlink('/dev/zero', at('endless'))
  here.env['DEPLOYMGMT_PRIVATE_KEY_FILE'] = at('endless')
  const key = await here.run('get', 'integrations', '--project-id', PROJECT)
  expect([key.code, key.stderr]).toEqual([0, expect.stringContaining('are both set')])
  const { DEPLOYMGMT_PRIVATE_KEY: _, ...env } = here.env
  const { code, stderr } = await runHere({ ...here, env }, ['get', 'integrations', '--project-id', PROJECT])
  expect([code, stderr]).toEqual([1, expect.stringContaining('is too large for a key')])
  await here.manifest(manifestWith().replace('{ env: DANA_INITIAL_PASSWORD }', '{ file: endless }'))
  const password = await here.run('apply', '--auto-approve')
  expect([password.code, password.stderr]).toEqual([1, expect.stringContaining('is too large for a secret')])
  const plan = await here.run('apply', 'endless')
  expect([plan.code, plan.stderr]).toEqual([1, expect.stringContaining('DM-PLAN-FILE')])
})

const ODD = [undefined, null, -1.5, '', 'x', '../x', '\u001B[2J', true, [], [null], [[]], {}, { x: null }]

test('a state with any one value edited by hand is used or refused, and never a defect', async () => {
  await begun()
  await here.manifest(manifestWith({ integrations: '  rest: { only: [PAGING, CHAT_A] }' }))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const state = await here.state()
  const edits = placesIn(state)
    .slice(1)
    .flatMap((path) => ODD.map((by) => ({ path, by })))
  const tried = soakKills === undefined ? edits.filter((_, index) => index % 25 === 0) : shareOf(edits)
  const defects: string[] = []
  for (const { path, by } of tried) {
    await writeFile(at('deploymgmt.state.json'), JSON.stringify(edited(state, path, () => by)))
    for (const words of READS) {
      const [defect] = defectsOf(await here.run(...words))
      if (defect !== undefined)
        defects.push(`${path.join('.')} = ${JSON.stringify(by)}: ${words.join(' ')}: ${defect}`)
    }
  }
  expect(defects).toEqual([])
  expect(tried.length).toBeGreaterThan(50)
})

test('a record that lost by hand what was applied is refused with the place, and claims nothing', async () => {
  await begun()
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const state = await here.state()
  const lost = (address: string, ...names: string[]) =>
    edited(state, ['resources', address, 'applied'], (applied) =>
      Object.fromEntries(Object.entries(applied as object).filter(([name]) => !names.includes(name))),
    )
  const window = 'maintenanceWindows.migration'
  for (const [address, name] of [
    ['alertConfigurations.noisy', 'enabled'],
    ['alertConfigurations.noisy', 'projectId'],
    ['apiKeys.reporting', 'apiKeyId'],
    ['apiKeys.reporting', 'orgId'],
    ['integrations.paging', 'projectId'],
    [window, 'alertTypeNames'],
    ['users.dana', 'roles'],
  ] as const) {
    await writeFile(at('deploymgmt.state.json'), JSON.stringify(lost(address, name)))
    for (const words of READS) {
      const { code, stderr } = await here.run(...words)
      expect(code).toBe(1)
      expect(stderr).toContain(`$.resources["${address}"].applied.${name} has to be `)
    }
  }
  for (const address of Object.keys(state.resources)) {
    const nothing = edited(state, ['resources', address, 'applied'], () => ({}))
    await writeFile(at('deploymgmt.state.json'), JSON.stringify(nothing))
    expect((await here.run('drift')).stderr).toContain(`$.resources["${address}"].applied.`)
  }
})

test('a state and a plan that are nested too deep to walk through are refused', async () => {
  await begun()
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  await writeFile(at('plan.bin'), `{"savedPlan": true, "formatVersion": ${deep}}`)
  expect((await here.run('apply', 'plan.bin')).stderr).toContain(
    'nested deeper than 100 levels (line 1, column 137)',
  )
  await writeFile(at('deploymgmt.state.json'), `{"version": 1, "resources": ${deep}}`)
  expect((await here.run('plan')).stderr).toContain('Error DM-STATE-CORRUPT: ')
})

/** A color, a cleared screen, a bell, a C1 control, a line break, and a mark that reverses text. */
const HOSTILE = '\u001B[31mred\u001B[2J\u0007\u009B1m\r\ninjected\u202Egnp.exe\u061C\u200F\u2028\u2029'

describe('text of a file that would drive a terminal', () => {
  it('is escaped where a lock tells its owner', async () => {
    await begun()
    const owner = { id: 'x', pid: 1, host: HOSTILE, command: HOSTILE, at: HOSTILE }
    await writeFile(at('deploymgmt.state.json.lock'), JSON.stringify(owner))
    for (const words of [...READS, APPLY, ['state', 'unlock', 'y']]) {
      const { stdout, stderr } = await here.run(...words)
      expect(stdout + stderr).not.toMatch(OBEYED)
      expect(stderr + stdout).toContain('injected')
    }
  })

  it('is escaped wherever a saved plan holds it', async () => {
    await begun()
    expect(await here.run('plan', '--out', 'plan.bin')).toMatchObject({ code: 0 })
    const plan = {
      ...JSON.parse(await readFile(at('plan.bin'), 'utf8')),
      files: ['deploymgmt.yaml'],
      vars: ['a=b'],
      target: ['*.*'],
      serviceVersion: '1',
      stateFile: 'x.json',
    }
    const texts = placesIn(plan).filter(
      (path) => typeof path.reduce((value, key) => value[key], plan) === 'string',
    )
    const said: string[] = []
    for (const path of texts) {
      await writeFile(at('plan.bin'), resealed(edited(plan, path, () => HOSTILE)))
      for (const words of [
        ['plan', 'plan.bin'],
        ['apply', 'plan.bin'],
      ]) {
        const { stdout, stderr } = await here.run(...words)
        if (OBEYED.test(stdout + stderr)) said.push(`${path.join('.')}: ${words.join(' ')}`)
      }
    }
    expect(said).toEqual([])
  })
})
