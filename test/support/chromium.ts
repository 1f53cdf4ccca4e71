import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import packaged from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'

/** Without a sandbox and shared memory, so that it starts in a container, too. It only shows our own pages. */
const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']

/** The one of the system, such as Debian's; otherwise the one that the packages bring. */
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

/** A real Chromium; fails if none starts on this machine. */
export const startBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await programOf(), args: FLAGS, headless: true })
