import { expect, it } from 'vitest'
import { whyNotRun } from '../../reconciler/commands/silence/child.ts'

const failed = (code: string): NodeJS.ErrnoException => Object.assign(new Error('failed'), { code })

it.each([
  ['npm', 'ENOENT'],
  [String.raw`deploy\all.cmd`, 'EINVAL'],
])('on Windows, %s is said to need cmd', (program, code) => {
  expect(whyNotRun(program, failed(code), 'win32').split('\n')).toEqual([
    `${program} cannot be run: ${code}`,
    expect.stringMatching(/^ {2}Only cmd runs a batch file/),
    '',
  ])
  expect(whyNotRun(program, failed(code), 'win32')).toContain(`-- cmd /c ${program}\n`)
})

it('elsewhere, and for other reasons, only the reason is said', () => {
  expect(whyNotRun('npm', failed('ENOENT'), 'linux')).toBe('npm cannot be run: ENOENT\n')
  expect(whyNotRun('npm', failed('EACCES'), 'win32')).toBe('npm cannot be run: EACCES\n')
})
