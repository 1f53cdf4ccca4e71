/** A workspace whose provider reaches the service through a proxy, which a test controls. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startProxy, type TestProxy } from '../../support/proxy.ts'
import type { Workspace } from './workspace.ts'

/** Changes the configuration so that a proxy is between the provider and the service. */
export const betweenThem = async (here: Workspace): Promise<TestProxy> => {
  const proxy = await startProxy(here.baseUrl)
  onTestFinished(() => proxy.close())
  const main = await here.read('main.tf')
  await writeFile(
    join(here.folder, 'main.tf'),
    main.replace('org_id', `base_url = "${proxy.baseUrl}"\n  org_id`),
  )
  return proxy
}
