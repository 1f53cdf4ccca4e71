import { type ServiceOptions, startService } from '@deploymgmt/service'
import { onTestFinished } from 'vitest'
import { type Call, type Reply, clientFor, http } from './client.ts'
import type { Key } from './digest.ts'
import { fixture, ids, keys } from './fixture.ts'

export interface TestService {
  readonly baseUrl: string
  /** A client with this or another key; by default the CI key, which owns the organization. */
  readonly call: Call
  readonly as: (key: Key) => Call
  readonly control: (method: string, path: string, body?: unknown) => Promise<Reply>
  readonly close: () => Promise<void>
}

/** Starts a service with the test fixture and a control interface; it is closed when the test ends. */
export const serve = async (options: ServiceOptions = {}): Promise<TestService> => {
  const service = await startService({ fixture, control: true, ...options })
  onTestFinished(() => service.close())
  const clients = new Map<string, Call>()
  const as = (key: Key): Call => {
    const client = clients.get(key.publicKey) ?? clientFor(service.baseUrl, key)
    clients.set(key.publicKey, client)
    return client
  }
  return {
    baseUrl: service.baseUrl,
    as,
    call: as(keys.ci),
    control: async (method, path, body) =>
      await http(method, `${service.controlUrl ?? ''}${path}`, {
        headers: {
          authorization: `Bearer ${service.controlToken ?? ''}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    close: () => service.close(),
  }
}

/** A service with one organization, the CI key, and one project with this content. */
export const serveProject = (project: object, settings: Record<string, string> = {}): Promise<TestService> =>
  serve({
    settings,
    fixture: {
      organizations: [{ id: ids.org, apiKeys: [keys.ci] }],
      projects: [{ id: ids.project, ...project }],
    },
  })

export const serveWith = async (settings: Record<string, string>): Promise<TestService> =>
  await serve({ settings })
