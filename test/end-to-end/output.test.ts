import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manifestWith, type Installation } from '../support/installation.ts'
import { begin } from '../support/scene.ts'

let here: Installation

const begun = async (): Promise<void> => {
  here = await begin({ manifest: manifestWith() })
}
const written = (name: string): Promise<string> => readFile(join(here.folder, name), 'utf8')

describe('--output', () => {
  it.each([
    ['text', 'test: 7 entries, all valid'],
    ['json', '"valid": true'],
  ])('takes what validate says, in %s', async (format, said) => {
    await begun()
    expect(await here.run('validate', '--format', format, '--output', 'said.txt')).toMatchObject({
      code: 0,
      stdout: '',
    })
    expect(await written('said.txt')).toContain(said)
  })

  it('takes the events of an apply, one a line, its summary last', async () => {
    await begun()
    const ran = await here.run('apply', '--auto-approve', '--format', 'json', '--output', 'events.ndjson')
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    const events = (await written('events.ndjson')).trim().split('\n')
    const types = events.map((line) => JSON.parse(line).type)
    expect(new Set(types.slice(0, -1))).toEqual(new Set(['started', 'finished']))
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ type: 'summary', exitCode: 0 })
  })

  it('takes the plan and the summary of an apply in text, without colour', async () => {
    await begun()
    const ran = await here.run('apply', '--auto-approve', '--output', 'apply.txt')
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    const text = await written('apply.txt')
    expect(text).toContain('maintenanceWindows.migration')
    expect(text).not.toContain('\u001B')
  })

  it('takes the summary of an apply that was refused', async () => {
    await begun()
    const ran = await here.run('apply', '--format', 'json', '--output', 'events.ndjson')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(await written('events.ndjson'))).toMatchObject({
      type: 'summary',
      error: { code: 'DM-NOT-CONFIRMED' },
    })
  })

  it('lets an apply send nothing where its file cannot be written', async () => {
    await begun()
    await here.forgetRequests()
    const ran = await here.run('apply', '--auto-approve', '--output', 'nowhere/apply.txt')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('DM-OUTPUT')
    expect((await here.requests()).log).toEqual([])
  })

  it.each([[['init']], [['state', 'init']], [['state', 'forget', 'users.dana']], [['adopt']]])(
    'is no option of %j, which has no data',
    async (words) => {
      await begun()
      const ran = await here.run(...words, '--output', 'said.txt')
      expect(ran.code).toBe(1)
      expect(ran.stderr).toContain('unknown option')
      await expect(stat(join(here.folder, 'said.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
    },
  )

  it.each([
    ['--output', 'deploymgmt.state.json'],
    ['--output', './deploymgmt.yaml'],
    ['--out', 'deploymgmt.state.journal'],
  ])('never replaces what the command reads: %s %s', async (flag, path) => {
    await begun()
    const before = await written('deploymgmt.state.json')
    const { code, stderr } = await here.run('plan', flag, path)
    expect(code).toBe(1)
    expect(stderr).toContain(`${flag} ${path} would replace a file that the command itself reads`)
    expect(await written('deploymgmt.state.json')).toBe(before)
  })
})
