import * as providerErrors from '@deploymgmt/provider/errors'
import * as commandErrors from '../../reconciler/errors/index.ts'
import { notice, page, spoken } from './markdown.ts'
import { serviceErrors, type Words } from './service-errors.ts'

interface DocumentedError extends Words {
  readonly code: string
}

/**
 * Errors of the launchers in plain CommonJS, before any class can be loaded (reconciler/bin/, the provider's own,
 * and scripts/release/launcher/).
 */
export const launcherErrors: Readonly<Record<string, Words>> = {
  'DM-NODE-VERSION': {
    meaning: 'The installed Node.js is too old for deploymgmt or its Terraform provider.',
    remedy: 'Install a version that the message names.',
  },
  'DM-RUNTIME': {
    meaning:
      'A release executable, of the command or of the Terraform provider, does not find the files that belong to it.',
    remedy: 'Unpack the whole archive again, and keep the lib folder beside the executable.',
  },
  'DM-NOT-BUILT': {
    meaning: 'The command was run in a checkout that had not been built.',
    remedy: 'Run npm run build in the checkout.',
  },
}

/**
 * Every error class with a code, the refusals of the service, and the launchers' errors, by code. A class without a
 * code is a base class.
 * @throws Error if two classes share a code, or if one does not say what it means or what to do
 */
export const documentedErrors = (): DocumentedError[] => {
  const found = new Map<string, DocumentedError>()
  for (const [name, exported] of Object.entries({ ...providerErrors, ...commandErrors })) {
    if (typeof exported !== 'function' || !('code' in exported)) continue
    const { code, meaning, remedy } = exported
    if (meaning === '' || remedy === '')
      throw new Error(`${name} (${code}) does not say its meaning and its remedy`)
    if (found.has(code)) throw new Error(`${name} has the code ${code} of another class`)
    found.set(code, { code, meaning, remedy })
  }
  for (const [name, words] of Object.entries({ ...serviceErrors, ...launcherErrors }))
    found.set(name, { code: name, ...words })
  return [...found.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1))
}

export const errorsPage = (): string =>
  page(
    notice(
      'provider/errors/, reconciler/errors/, scripts/docs/service-errors.ts and scripts/docs/errors-page.ts',
    ),
    '# Errors',
    'An error message has a code, says what failed and where (`FILE:LINE:COLUMN`, or the request and its status), and ends with what to do. Codes are stable: scripts may rely on them. The command then ends with exit code 1; with 3 where the outcome of an earlier request is unknown, and with 130 after an interruption.',
    ...documentedErrors().flatMap(({ code: name, meaning, remedy }) => [
      `## ${name}`,
      spoken(meaning),
      `**What to do:** ${spoken(remedy)}`,
    ]),
  )
