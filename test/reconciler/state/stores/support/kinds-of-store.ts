import { readFile, writeFile } from 'node:fs/promises'
import { systemWith, type System } from '../../../../../reconciler/state/machine/system.ts'
import { storeAt } from '../../../../../reconciler/state/stores/index.ts'
import type { Store } from '../../../../../reconciler/state/stores/store.ts'
import { bareRepository, git, pushFile } from '../../../../support/git.ts'
import { type PostgresServer, usePostgres } from '../../../../support/postgres.ts'
import { statePathIn, temporaryFolder } from '../../support/folder.ts'
import { type Manner, putState, stateAt, stateServer } from './state-server.ts'

/** A new store, and ways to change it from outside. */
export interface Place {
  readonly address: string
  /** The same store, opened as another process would. */
  open(given?: Partial<System>): Promise<Store>
  /** Replaces the state, ignoring the lock. */
  write(state: string): Promise<void>
  /** The state as others see it. */
  look(): Promise<string>
}

interface KindOfStore {
  readonly name: string
  /** Sets up what all tests of the store share; called once, where they are declared. */
  readonly setUp?: () => void
  readonly begin: () => Promise<Place>
}

let postgres: () => PostgresServer
let schemas = 0

/** Sets up what the tests of a file share; called where they are declared. */
export const setUpStores = (): void => {
  for (const { setUp } of stores) setUp?.()
}

const behindHttp = (manner: Manner) => async (): Promise<Place> => {
  const server = await stateServer(manner)
  const { address } = server
  return {
    address,
    open: (given) => storeAt({ statePath: address }, systemWith(given)),
    write: async (state) => putState(server, state),
    look: async () => stateAt(server),
  }
}

/** Each kind of store, at a real place. */
export const stores: readonly KindOfStore[] = [
  {
    name: 'file',
    begin: async () => {
      const address = statePathIn(await temporaryFolder())
      return {
        address,
        open: (given) => storeAt({ statePath: address }, systemWith(given)),
        write: (state) => writeFile(address, state, { mode: 0o600 }),
        look: () => readFile(address, 'utf8'),
      }
    },
  },
  {
    name: 'git',
    begin: async () => {
      const bare = await bareRepository()
      const address = `git+file://${bare}#states/acme`
      return {
        address,
        open: (given) => storeAt({ statePath: address, folder: bare }, systemWith(given)),
        write: async (state) => void (await pushFile(bare, 'states/acme', 'state.json', state)),
        look: async () => `${await git(bare, 'show', 'states/acme:state.json')}\n`,
      }
    },
  },
  {
    name: 'Postgres',
    setUp: () => {
      postgres = usePostgres()
    },
    begin: async () => {
      schemas += 1
      const [schema, server] = [`states_${schemas}`, postgres()]
      const address = `${server.address}?schema=${schema}#acme`
      const open = (given?: Partial<System>) =>
        storeAt({ statePath: address }, systemWith({ env: {}, ...given }))
      await (await open()).prepare?.()
      return {
        address,
        open,
        write: async (state) => void (await server.ask(`UPDATE ${schema}.states SET state = $1`, [state])),
        look: async () =>
          (await server.ask<{ state: string }>(`SELECT state FROM ${schema}.states`))[0]?.state ?? '',
      }
    },
  },
  { name: 'http', begin: behindHttp('plain') },
  { name: 'http that compares no lock', begin: behindHttp('careless') },
  { name: 'http (as GitLab)', begin: behindHttp('gitlab') },
]
