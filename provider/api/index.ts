export { checkBaseUrl, isLoopback, normalizeBaseUrl } from './base-url.ts'
export { trustOf } from './ca-file.ts'
export { createClient } from './client.ts'
export { findDuplicateKey } from './duplicate-keys.ts'
export { formsOf, printable, standsOut, withoutLogCommands, withoutSecrets } from './printable.ts'
export { checkPrivateKey, checkPublicKey } from './key-halves.ts'
export { releaseBytes } from './release-bytes.ts'
export { descriptorOf, readAtMost, readOpened } from './read-limited.ts'
export { agentThrough } from './agent-through.ts'
export { proxyFor, type Proxy } from './proxy.ts'
export { retryAfter, retryLimits } from './retry.ts'
export { DEEPEST, findTooDeep, isTooDeep } from './json-depth.ts'
export { soundnessOf } from './sound-json.ts'
export { tlsFailure, type TlsFailure } from './tls-failure.ts'
export { faultOf } from './wire-fault.ts'
export type { Client, ClientOptions, Held, ListOptions, Page, Query, RequestEvent } from './types.ts'
export {
  accessFrom,
  baseUrlIn,
  knownPrivateKey,
  privateKeyWarning,
  type Environment,
  type ServiceAccess,
} from './environment.ts'
