import { expect } from 'vitest'
import { runHere, type Ran } from '../../support/command.ts'
import type { Installation } from '../../support/installation.ts'

interface Row {
  readonly address: string
  readonly status: 'recorded' | 'unknown'
}

/** The addresses to which `state list` gives a status. */
export const addressesIn = async (here: Installation, wanted: Row['status']): Promise<string[]> => {
  const { code, document } = await here.json('state', 'list')
  expect(code).toBe(0)
  return (document as Row[]).filter(({ status }) => status === wanted).map(({ address }) => address)
}
export const unknownIn = (here: Installation): Promise<string[]> => addressesIn(here, 'unknown')

/** The addresses in the `state resolve` commands of a message. */
export const namedIn = (message: string): string[] => [
  ...new Set(
    [...message.matchAll(/deploymgmt state resolve '?([^\s']+)'? --(?:(?:not-)?created|again)/g)].map(
      ([, address]) => address ?? '',
    ),
  ),
]

/** Expects exit 3 with the commands for these addresses, and no write. */
export const expectStuck = async (
  here: Installation,
  addresses: readonly string[],
  words: readonly string[] = ['apply', '--auto-approve'],
): Promise<string> => {
  await here.forgetRequests()
  const { code, stdout, stderr } = await here.run(...words)
  expect({ code, named: namedIn(stderr) }).toEqual({ code: 3, named: addresses })
  if (words.includes('json'))
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'DM-UNKNOWN-OUTCOME' } })
  else expect(stdout).toBe('')
  expect(stderr).toContain('DM-UNKNOWN-OUTCOME')
  const { log } = await here.requests()
  expect(log.filter(({ method }) => method !== 'GET')).toEqual([])
  return stderr
}

/** Expects that an apply succeeds and that a plan then finds nothing to do. */
export const expectConverged = async (here: Installation): Promise<void> => {
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const { code, document } = await here.json('plan', '--detailed-exitcode')
  expect({
    code,
    inSync: document?.inSync,
    changes: document?.changes.map(({ action }: any) => action),
  }).toEqual({
    code: 0,
    inSync: true,
    changes: document?.changes.map(() => 'unchanged'),
  })
}

/** Tells what became of a request. */
export const resolve = async (here: Installation, address: string, ...truth: string[]): Promise<void> => {
  expect(await resolveLater(here, address, ...truth)).toMatchObject({ code: 0 })
}

/** Runs `state resolve` at a time when no request can take effect any more. */
export const resolveLater = (here: Installation, ...words: string[]): Promise<Ran> =>
  runHere(here, ['state', 'resolve', ...words], { now: () => new Date(Date.now() + 180_000) })

/** How many requests with this method the service has accepted. */
export const sent = async (here: Installation, wanted: string): Promise<number> =>
  (await here.requests()).log.filter(({ method, status }) => method === wanted && status !== 401).length

/** What the same key made elsewhere stops creations until a person says that it is not ours. */
export const disownStrangers = async (here: Installation): Promise<void> => {
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  expect(await here.run('state', 'disown', '--everything')).toMatchObject({ code: 0 })
}
