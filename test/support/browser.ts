import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { startBrowser } from './chromium.ts'
import { FOLDER } from './folder.ts'

/** What a page did while it was open. */
export interface Watched {
  readonly page: Page
  /** Addresses that it asked for, other than its own. */
  readonly requests: string[]
  /** What its script threw, and what the browser complained about. */
  readonly complaints: string[]
}

type Look = BrowserContextOptions & { readonly init?: () => void }

interface TestBrowser {
  /** Opens a page from a file, and blocks everything that it asks for. */
  open(text: string, look?: Look): Promise<Watched>
}

/** A browser for the tests of one file; tests that use it are skipped if none can start. */
export const useBrowser = (): (() => TestBrowser) => {
  let browser: Browser | undefined
  let why = ''
  let folder = ''
  let skipNow: ((reason: string) => void) | undefined
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    folder = await mkdtemp(FOLDER)
    browser = await startBrowser().catch((error: unknown) => {
      why = `no browser starts on this machine: ${String(error).split('\n')[0] ?? ''}`
      return undefined
    })
  })
  beforeEach(({ skip }) => {
    skipNow = skip
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })
  const open = async (text: string, { init, ...look }: Look = {}): Promise<Watched> => {
    const context = await (browser as Browser).newContext(look)
    contexts.push(context)
    const watched = watch(await context.newPage())
    if (init !== undefined) await watched.page.addInitScript(init)
    const file = join(folder, `page-${String(contexts.length)}.html`)
    await writeFile(file, text)
    const address = pathToFileURL(file).href
    await context.route('**', (route) => {
      if (route.request().url().split('#')[0] === address) return route.continue()
      watched.requests.push(route.request().url())
      return route.abort()
    })
    await watched.page.goto(address)
    return watched
  }
  return () => {
    if (browser === undefined) skipNow?.(why)
    return { open }
  }
}

const watch = (page: Page): Watched => {
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  return { page, requests: [], complaints }
}
