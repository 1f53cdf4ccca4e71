/** A workspace whose provider reaches the service by way of a proxy, which a test steers. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startProxy, type TestProxy } from '../../support/proxy.ts'
import type { Workspace } from './workspace.ts'

/** Configures anew, with a proxy before the service. */
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
