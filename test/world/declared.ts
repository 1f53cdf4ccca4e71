import { manifestWith } from '../support/installation.ts'
import { CONFIGS, ORG, REPORTER } from './fixture.ts'

export interface DeclaredWindow {
  readonly types: readonly string[]
  /** Hours from the epoch of the world. */
  readonly start: number
  readonly hours: number
  readonly description: string
}

/** What a history declares at one moment; entries are known by short names. */
export interface Declared {
  readonly configs: Readonly<Partial<Record<string, { readonly index: number; readonly enabled: boolean }>>>
  readonly windows: Readonly<Partial<Record<string, DeclaredWindow>>>
  readonly key: { readonly desc: string; readonly role: string } | undefined
}

export const NOTHING: Declared = { configs: {}, windows: {}, key: undefined }

const HOUR = 3_600_000
const EPOCH = Date.parse('2030-01-01T00:00:00Z')
export const instant = (hours: number): string =>
  new Date(EPOCH + hours * HOUR).toISOString().replace('.000Z', 'Z')

export const windowValues = ({ types, start, hours, description }: DeclaredWindow) => ({
  alertTypeNames: types.toSorted(),
  startDate: instant(start),
  endDate: instant(start + hours),
  description,
})

/** The manifest that says it. */
export const manifestOf = ({ configs, windows, key }: Declared): string =>
  manifestWith({
    users: '',
    integrations: '',
    apiKeys:
      key === undefined
        ? ''
        : `  reporting: { orgId: ${ORG}, apiKeyId: ${REPORTER}, desc: ${key.desc}, roles: [${key.role}] }`,
    alertConfigurations: Object.entries(configs)
      .map(
        ([name, each]) =>
          `  ${name}: { alertConfigId: ${CONFIGS[each?.index ?? 0] ?? ''}, enabled: ${each?.enabled ?? true} }`,
      )
      .join('\n'),
    maintenanceWindows: Object.entries(windows)
      .flatMap(([name, each]) => (each === undefined ? [] : [[name, windowValues(each)] as const]))
      .map(([name, values]) => `  ${name}: ${JSON.stringify(values)}`)
      .join('\n'),
  })
