import { expect } from 'vitest'
import { initState, openSession, readSession } from '../../../../../reconciler/state/index.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { expected } from '../../support/samples.ts'
import { CREDENTIALS, type Fate, type Manner, type StateServer, stateServer } from './state-server.ts'

/** Nothing from this machine, and no waiting. */
export const system = { env: CREDENTIALS, pause: () => Promise.resolve() }

export const optionsFor = ({ address }: Pick<StateServer, 'address'>, folder = '/nowhere') => ({
  statePath: address,
  folder,
  expect: expected,
  command: 'apply',
})

export const begun = async (manner: Manner = 'plain') => {
  const server = await stateServer(manner, { isOpen: false })
  const options = optionsFor(server, await temporaryFolder())
  await initState(options, system)
  const open = () => openSession(options, system)
  const read = async () => {
    const { state, unknown, busy } = await readSession(options, system)
    return { things: Object.keys(state.resources), unknown: unknown.length, busy: busy?.command }
  }
  return { server, options, open, read }
}

export const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error,
  )

export const always = (server: StateServer, method: string, fate: Fate): void => {
  server.fate = (asked) => (asked.method === method ? fate : 'answer')
}

export const documentAt = (server: StateServer) => JSON.parse(server.document ?? 'null')
