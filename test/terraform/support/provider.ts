/** The provider within this process, found by its socket. `life.test.ts` installs the released file. */
import type { KindDefinition } from '@deploymgmt/provider/core'
import { dataSources } from '@deploymgmt/provider/data-sources'
import { kinds } from '@deploymgmt/provider/kinds'
import { onTestFinished } from 'vitest'
import { reattachValue } from '../../../provider/terraform/plugin/handshake.ts'
import { createLogger } from '../../../provider/terraform/plugin/log.ts'
import { describeFailure, providerHandlers } from '../../../provider/terraform/provider.ts'
import { createGrpcServer } from '../../../provider/terraform/wire/grpc-server.ts'
import { Lifetime } from '../../../provider/terraform/wire/lifetime.ts'
import { listen } from '../../../provider/terraform/plugin/listen.ts'

export interface StartedProvider {
  /** What `TF_REATTACH_PROVIDERS` has to hold. */
  readonly reattach: string
  readonly close: () => void
}

/** Serves Terraform with an environment of its own. */
export const startProvider = async (
  env: Readonly<Record<string, string>>,
  write: (line: string) => void = () => undefined,
  definitions: readonly KindDefinition[] = kinds,
): Promise<StartedProvider> => {
  const listener = await listen({ encrypted: false })
  const log = createLogger({ write, now: Date.now, verbose: true })
  const inject = createGrpcServer({
    handlers: providerHandlers(definitions, dataSources, env, log.debug),
    lifetime: new Lifetime({ exit: () => undefined, parentAlive: () => true, single: false }),
    log,
    describeFailure,
  })
  listener.accept((connection) => {
    // The listener pauses a connection, and without TLS nothing reads from it by itself.
    connection.read(0)
    inject(connection)
  })
  // OpenTofu expects the same source at another host.
  const values = ['registry.terraform.io', 'registry.opentofu.org'].map((host) =>
    reattachValue(`${host}/deploymgmt/deploymgmt`, listener.address, process.pid),
  )
  const reattach = JSON.stringify(Object.assign({}, ...values.map((value) => JSON.parse(value) as object)))
  return { reattach, close: () => listener.close() }
}

/** Serves every Terraform of a test until the test ends; returns the value for `TF_REATTACH_PROVIDERS`. */
export const serveProvider = async (...options: Parameters<typeof startProvider>): Promise<string> => {
  const { reattach, close } = await startProvider(...options)
  onTestFinished(close)
  return reattach
}
