import type { Client } from '../../api/index.ts'

/** What the engine needs of the HTTP client. A door may wrap it to coalesce reads. */
export type EngineClient = Pick<
  Client,
  | 'get'
  | 'list'
  | 'send'
  | 'baseUrl'
  | 'learnTime'
  | 'publicKey'
  | 'serviceNow'
  | 'serviceNotBefore'
  | 'skewMs'
  | 'requestsSent'
  | 'serviceVersion'
>
