import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { soakParts } from '../scripts/soak-parts.ts'

const root = join(import.meta.dirname, '..')

const run = (script: string, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test.each([
  ['scripts/simulate.ts', '--histories', '0'],
  ['scripts/soak.ts', 'no-such-part'],
  ['scripts/mutants.ts', '--only'],
  ['scripts/provider/package.ts', '--platform', 'linux_386'],
  ['scripts/release/release.ts', '--platform', 'linux_386'],
  ['scripts/release/try-executables.ts', '--anything'],
  ['scripts/pictures.ts', 'drift'],
  ['bench/bench.ts', '--row', 'no-such-row'],
  ['bench/fixtures/alert-configurations.ts', '--things', 'many'],
])('%s says how it is used', (script, ...wrong) => {
  const usage = /^usage: (?:npm run|node) [^\n]+\n$/
  expect(run(script, '--help')).toEqual({ status: 0, stdout: expect.stringMatching(usage), stderr: '' })
  for (const words of [wrong, ['--no-such-flag']])
    expect(run(script, ...words)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]+\nusage: [^\n]+\n$/),
    })
})

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

describe('a soak', () => {
  const { values = [], ...others } = soakParts()

  test('has files that are there in each part, and each file with properties in one', () => {
    for (const file of [...values, ...Object.values(others).flat()]) expect(textOf(file)).not.toBe('')
    expect(values).toContain('test/provider/api/sound-json.test.ts')
    expect(values).toContain('test/reconciler/state/lock-order.test.ts')
    expect(values).not.toContain('test/protocol/replay.test.ts')
  })

  test.each(values)('tries more values, and others, of each property in %s', (file) => {
    expect(textOf(file)).not.toMatch(/numRuns: (?!runs\()|\bseed:/)
  })
})
