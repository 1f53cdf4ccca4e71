import { expect, test } from 'vitest'
import { runHere } from '../support/command.ts'

const completion = (shell: string) => runHere({ folder: import.meta.dirname, env: {} }, ['completion', shell])

test.each(['bash', 'zsh', 'fish'])('there is a completion for %s', async (shell) => {
  const { code, stdout } = await completion(shell)
  expect(code).toBe(0)
  expect(stdout).toContain('unlock')
})

test.each(['tcsh', 'constructor', 'toString'])(
  'there is none for %s, and no defect either',
  async (shell) => {
    const { code, stderr } = await completion(shell)
    expect(code).toBe(1)
    expect(stderr).toContain(`there is no completion for "${shell}"`)
  },
)
