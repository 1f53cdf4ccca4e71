import { PROVIDER_ADDRESS } from '../provider-address.ts'
import { serve, serveReattach, type LoadProvider, type ServeOptions } from './server.ts'

// The handshake does not wait for the engine: definitions, client and planning are loaded while Terraform connects.
const load: LoadProvider = async (env, { debug }) => {
  const [provider, { kinds }, { dataSources }] = await Promise.all([
    import('../provider.ts'),
    import('../../kinds/index.ts'),
    import('../../data-sources/index.ts'),
  ])
  describe = provider.describeFailure
  return provider.providerHandlers(kinds, dataSources, env, debug)
}

type FailureText = NonNullable<ServeOptions['describeFailure']>
let describe: FailureText | undefined
// Handlers exist only once they are loaded, and so do the messages for their errors.
const describeFailure: FailureText = (error, purpose) => describe?.(error, purpose) ?? []

const isDebugging = process.argv.includes('--reattach')

// Not awaited: both end the process themselves, and a CommonJS bundle cannot await here.
void (isDebugging
  ? serveReattach(load, { provider: PROVIDER_ADDRESS, describeFailure })
  : serve(load, { describeFailure }))
