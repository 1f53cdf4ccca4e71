import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

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
