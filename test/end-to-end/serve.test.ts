import { expect, test } from 'vitest'
import { runHere } from '../support/command.ts'

test.each(['99999', '-1', '1.5', 'http'])('serve --port %s is told which ports there are', async (port) => {
  const ran = await runHere({ folder: import.meta.dirname, env: {} }, ['serve', `--port=${port}`])
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toContain('It has to be a whole number from 0 to 65535')
})
