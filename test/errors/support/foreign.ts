import { createServer, type RequestListener, type Server } from 'node:http'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { closed, listen } from '../../support/listen.ts'
import { emptyState } from '../../support/scene.ts'
import { startProxy, type TestProxy, type Steer } from '../../support/proxy.ts'
import type { Scene } from './provocation.ts'

const BASE = '/api/public/v1.0'

/** From now on, the service is looked for at this address, for which a new empty state is created. */
const moveTo = async ({ env, folder }: Scene, baseUrl: string): Promise<void> => {
  env['DEPLOYMGMT_BASE_URL'] = baseUrl
  await rm(join(folder, 'deploymgmt.state.json'))
  await emptyState({ env, folder })
}

/** Starts a server that is not the service, takes its place, and answers as given. */
export const foreign = async (scene: Scene, answer: RequestListener): Promise<Server> => {
  const server = createServer(answer)
  onTestFinished(() => void server.close())
  await moveTo(scene, `http://127.0.0.1:${await listen(server)}${BASE}`)
  return server
}

/** Points the command to an address without a server. */
export const nobody = async (scene: Scene): Promise<void> => {
  const server = await foreign(scene, () => undefined)
  await closed(server)
}

/** Puts a proxy between the command and the service. */
export const throughProxy = async (
  scene: Scene,
  steer: Steer,
  options: Parameters<typeof startProxy>[1] = {},
): Promise<TestProxy> => {
  const standing = await startProxy(scene.baseUrl, options)
  onTestFinished(() => standing.close())
  standing.steer(steer)
  await moveTo(scene, standing.baseUrl)
  return standing
}
