import { createHash } from 'node:crypto'

/** The version that X-Vendor-Service-Version names. */
export const serviceVersion = '0.1.0'

// There is no repository at run time; the hash is fixed per version.
const gitHash = createHash('sha1').update(serviceVersion).digest('hex')

/** The headers of every answer; Date follows the clock of the service. */
export const commonHeaders = (now: number): Record<string, string> => ({
  vary: 'Accept-Encoding',
  'strict-transport-security': 'max-age=300',
  date: new Date(now).toUTCString(),
  'x-vendor-service-version': `gitHash=${gitHash}; versionString=${serviceVersion}`,
})
