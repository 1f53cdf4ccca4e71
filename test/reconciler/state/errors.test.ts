import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { expect, test } from 'vitest'
import {
  JournalCorruptError,
  JournalMismatchError,
  LedgerError,
  LockedError,
  LockMismatchError,
  StateConflictError,
  StateCorruptError,
  StateMismatchError,
  StateReadError,
  StateVersionError,
  StateWriteError,
} from '../../../reconciler/errors/index.ts'

const classes = [
  StateCorruptError,
  StateVersionError,
  StateMismatchError,
  StateConflictError,
  StateWriteError,
  StateReadError,
  LockedError,
  LockMismatchError,
  JournalCorruptError,
  JournalMismatchError,
]

test('every code is used once', () => {
  expect(new Set(classes.map(({ code }) => code)).size).toBe(classes.length)
})

test.each(classes.map((cause) => [cause.code, cause] as const))(
  '%s has all that its page needs',
  (code, Cause) => {
    expect(code).toMatch(/^DM-[A-Z]+(?:-[A-Z]+)*$/u)
    expect(Cause.meaning).toMatch(/^[A-Z].*\.$/u)
    expect(Cause.remedy).toMatch(/^[A-Z].*\.$/u)
    const error = new Cause('It failed.', { where: 'here:1:2', hint: 'Do this.' })
    expect(error).toBeInstanceOf(DeploymgmtError)
    expect(error.describe()).toBe(`Error ${code}: It failed.\n  here:1:2\n  Do this.`)
  },
)

test('what the state and its journal refuse stops an apply by its class; what a lock refuses comes before one', () => {
  const stopping = classes.filter((each) => each.prototype instanceof LedgerError)
  const locks: unknown[] = [LockedError, LockMismatchError]
  expect(stopping).toStrictEqual(classes.filter((each) => !locks.includes(each)))
})
