import { normalizeBaseUrl } from '@deploymgmt/provider/api'
import { StateMismatchError } from '../../errors/index.ts'

/** What a state must agree with before it is used. */
export interface Expectation {
  name: string
  baseUrl: string
}

/** @throws StateMismatchError naming both sides */
export const refuseMismatch = (
  path: string,
  found: Expectation,
  expect: Expectation,
  { isEmpty = false, sameFlags = '' }: { readonly isEmpty?: boolean; readonly sameFlags?: string } = {},
): void => {
  const refuse = (what: string, correct: string, onPurpose: string): StateMismatchError =>
    new StateMismatchError(what, {
      where: path,
      hint: isEmpty
        ? `It records nothing yet: delete it and start again with deploymgmt state init${sameFlags}; or keep another state beside it with --state; or correct ${correct}.`
        : `Name the right state file with --state, or correct ${correct}. ${onPurpose} in the state, too.`,
    })
  if (found.name !== expect.name) {
    const [recorded, used] = [JSON.stringify(found.name), JSON.stringify(expect.name)]
    throw refuse(
      `the state belongs to the manifest ${recorded}, not to ${used}`,
      '`name` in the manifest',
      'If the manifest was renamed on purpose, change `name`',
    )
  }
  const [recorded, used] = [normalizeBaseUrl(found.baseUrl), normalizeBaseUrl(expect.baseUrl)]
  if (recorded !== used)
    throw refuse(
      `the state belongs to the service ${recorded}, not to ${used}`,
      'DEPLOYMGMT_BASE_URL',
      'If the same service now has another address, change `baseUrl`',
    )
}
