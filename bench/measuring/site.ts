import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fixture, KEY, manifests, type Size } from '../fixtures/alert-configurations.ts'
import type { Bench } from '../row.ts'
import { costOf, type Cost, GIVEN_UP_MS, givenUp } from './cost.ts'

export const ROOT = join(import.meta.dirname, '..', '..')
export const COMMAND = join(ROOT, 'reconciler', 'bin', 'deploymgmt.cjs')

/** A service in a process of its own, which is not measured, and a folder with a manifest. */
export interface Site {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Runs the command in that folder. */
  readonly run: (...words: string[]) => Promise<Cost>
  readonly control: (method: string, path: string, body?: object) => Promise<unknown>
}

/** Starts a service with a fixture. */
export const serve = async (bench: Bench, name: string, held: object): Promise<Site> => {
  const folder = join(bench.folder, name)
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'fixture.json')
  await writeFile(path, JSON.stringify(held))
  const words = ['serve', '--control', '--format', 'json', '--fixture', path]
  const service = spawn(process.execPath, [COMMAND, ...words], {
    env: bench.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // It keeps nothing, so it can be killed.
  bench.atEnd(() => void service.kill('SIGKILL'))
  const waiting = givenUp(service, ['deploymgmt', ...words])
  for await (const line of createInterface({ input: service.stdout })) {
    waiting.over()
    return siteOf(bench, folder, line)
  }
  waiting.over()
  throw new Error('the service ended before it was ready')
}

const siteOf = (bench: Bench, folder: string, ready: string): Site => {
  const { baseUrl, controlUrl, controlToken } = JSON.parse(ready) as Record<string, string>
  const env = {
    ...bench.env,
    DEPLOYMGMT_BASE_URL: baseUrl ?? '',
    DEPLOYMGMT_PUBLIC_KEY: KEY.publicKey,
    DEPLOYMGMT_PRIVATE_KEY: KEY.privateKey,
  }
  return {
    folder,
    env,
    run: (...words) =>
      costOf({ words: [process.execPath, COMMAND, ...words, '-f', MANIFEST], cwd: folder, env }),
    control: async (method, path, body) => {
      const answer = await fetch(`${controlUrl}/${path}`, {
        method,
        signal: AbortSignal.timeout(GIVEN_UP_MS),
        headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
      return text === '' ? undefined : (JSON.parse(text) as unknown)
    },
  }
}

interface SettledSite extends Site {
  /** What the apply took that adopted all configurations. */
  readonly firstApply: Cost
}

/** A site whose alert configurations are all declared, applied and in sync. */
export const settledSite = (bench: Bench, size: Size): Promise<SettledSite> => {
  const name = `${String(size.things)}-in-${String(size.projects)}`
  return bench.once(name, async () => {
    const site = await serve(bench, name, fixture(size))
    await declare(site, size, true)
    await site.run('state', 'init')
    const firstApply = await site.run('apply', '--auto-approve')
    return { ...site, firstApply }
  })
}

/** A folder of its own, because all files in it are the manifest. */
const MANIFEST = 'manifest'

const declare = async (site: Site, size: Size, enabled: boolean): Promise<void> => {
  const folder = join(site.folder, MANIFEST)
  await mkdir(folder, { recursive: true })
  for (const [index, text] of manifests(size, 'entries', enabled).entries())
    await writeFile(join(folder, `${index}.yaml`), text)
}

/** Returns an apply that switches all configurations; every second one undoes the one before. */
export const switching = (site: Site, size: Size): (() => Promise<Cost>) => {
  let enabled = true
  return async () => {
    enabled = !enabled
    await declare(site, size, enabled)
    return site.run('apply', '--auto-approve', '--allow-mass-change')
  }
}

/** How many requests were sent during an action, including challenges. */
export const requestsOf = async (
  site: Site,
  act: () => Promise<unknown>,
): Promise<Record<string, number>> => {
  await site.control('DELETE', 'requests')
  await act()
  const { log } = (await site.control('GET', 'requests')) as { log: { method: string }[] }
  return Object.fromEntries(
    [...Map.groupBy(log, ({ method }) => method)].map(([method, all]) => [method, all.length]),
  )
}
