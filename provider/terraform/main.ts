import { diagnosticOf } from './diagnostics.ts'
import { serve, serveReattach, type LoadProvider } from './server.ts'

/** What Terraform calls the provider. */
const SOURCE = 'registry.terraform.io/deploymgmt/deploymgmt'

// The handshake does not wait for the engine: definitions, client and planning are loaded while Terraform connects.
const load: LoadProvider = async ({ env }) => {
  const [{ providerHandlers }, { kinds }, { dataSources }] = await Promise.all([
    import('./provider.ts'),
    import('../kinds/index.ts'),
    import('../data-sources/index.ts'),
  ])
  return providerHandlers(kinds, dataSources, env)
}

/** A failed request says its code, its place and what to do, as it does for the command. */
const describeFailure = (error: unknown) => [diagnosticOf(error)]

const isDebugging = process.argv.includes('--reattach')

// A promise that nobody waits for: both end the process themselves, and a bundle in CommonJS cannot await here.
void (isDebugging
  ? serveReattach(load, { provider: SOURCE, describeFailure })
  : serve(load, { describeFailure }))
