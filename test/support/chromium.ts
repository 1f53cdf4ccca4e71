import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import packaged from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'

/** Without a sandbox and without shared memory: it shows our own pages alone, also within a container. */
const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']

/** The one of the system where there is one, such as Debian's; else the one that the packages bring. */
const programOf = async (): Promise<string> =>
  installed(['chromium', 'chromium-browser', 'google-chrome']) ?? packaged.executablePath()

const installed = (names: readonly string[]): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })

/** A real Chromium; an error where this machine starts none. */
export const startBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await programOf(), args: FLAGS, headless: true })
