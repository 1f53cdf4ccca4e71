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

const isDebugging = process.argv.includes('--reattach')

// A promise that nobody waits for: both end the process themselves, and a bundle in CommonJS cannot await here.
void (isDebugging ? serveReattach(load, { provider: SOURCE }) : serve(load))
