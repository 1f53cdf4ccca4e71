import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../support/installation.ts'

const serve = async (words: readonly string[], fixture = '') => {
  const cwd = await mkdtemp(join(tmpdir(), 'deploymgmt-serve-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  await writeFile(join(cwd, 'fixture.yaml'), fixture)
  return runCommand(['serve', ...words], { cwd, env: { PATH: process.env['PATH'] ?? '' } })
}

test.each(['99999', '-1', '1.5', 'http'])('serve --port %s is told which ports there are', async (port) => {
  const { code, stdout, stderr } = await serve([`--port=${port}`])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('It has to be a whole number from 0 to 65535')
})

test('serve names everything in a fixture that is not right, under one code', async () => {
  const text = 'organizations:\n  - { id: 7, nmae: Acme }\nusers: 5\n'
  expect(await serve(['--fixture', 'fixture.yaml'], text)).toEqual({
    code: 1,
    stdout: '',
    stderr: `Error DM-SERVE-FIXTURE: The fixture is not right:
  fixture.yaml:2:11  organizations[0].id: must be string, and YAML reads it as a number: quote it
  fixture.yaml:2:14  organizations[0].nmae: unknown field; did you mean name?
  fixture.yaml:3:8  users: must be array
  Correct what the message names.
`,
  })
})
