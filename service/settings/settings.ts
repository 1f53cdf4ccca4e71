import { nearest } from '../nearest.ts'
import { ServiceStartError } from '../start-error.ts'
import { openAccess } from './open-access.ts'
import { openReads } from './open-reads.ts'
import { openWrites } from './open-writes.ts'
import { serverSettings } from './server-settings.ts'
import type { Setting } from './setting.ts'

const table = { ...serverSettings, ...openAccess, ...openWrites, ...openReads }

type Table = typeof table

/** The name of a setting. */
type SettingName = keyof Table

/** The values of a setting: a union for a closed set, otherwise any string. */
type SettingValue<N extends SettingName> = Table[N] extends { accepts: unknown }
  ? string
  : Table[N]['values'][number]

/** All settings with their allowed values, defaults and meanings, in the order of the documentation. */
export const settings: readonly Setting[] = Object.entries<Omit<Setting, 'name'>>(table).map(
  ([name, rest]) => ({
    name,
    ...rest,
  }),
)

/** The settings of one running service. */
export interface Settings {
  get<N extends SettingName>(name: N): SettingValue<N>
  /** The given settings, for a dump. */
  readonly given: Readonly<Record<string, string>>
}

/** A problem with a given setting. */
interface SettingProblem {
  readonly name: string
  readonly message: string
  /** Whether there is no setting with this name. */
  readonly isName: boolean
}

/** Checks given settings and adds the defaults. Throws a ServiceStartError with all problems. */
export const resolveSettings = (given: Readonly<Record<string, string>>): Settings => {
  const problems = settingProblems(given)
  if (problems.length > 0)
    throw new ServiceStartError('DM-SERVE-SETTING', problems.map(({ message }) => message).join('\n  '))
  return checkedSettings(given)
}

/** Adds the defaults to checked settings. */
export const checkedSettings = (given: Readonly<Record<string, string>>): Settings => ({
  given: { ...given },
  get: (name) => (given[name] ?? table[name].default) as SettingValue<typeof name>,
})

/** All problems with given settings. */
export const settingProblems = (given: Readonly<Record<string, string>>): SettingProblem[] =>
  Object.entries(given).flatMap(([name, value]) => settingProblem(name, value) ?? [])

const settingProblem = (name: string, value: string): SettingProblem | undefined => {
  const setting = settings.find((candidate) => candidate.name === name)
  if (!setting) {
    const names = settings.map((candidate) => candidate.name)
    const meant = nearest(name, names)
    const suggestion = meant === undefined ? '.' : `: did you mean ${meant}?`
    const message = `Unknown setting ${JSON.stringify(name)}${suggestion} The settings are listed in docs/service-settings.md.`
    return { name, message, isName: true }
  }
  if (setting.accepts ? setting.accepts(value) || value === setting.default : setting.values.includes(value))
    return undefined
  const allowed = setting.values.map((allowedValue) => allowedValue || '""')
  const meant = setting.accepts ? undefined : nearest(value, setting.values)
  const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`
  const message = `Setting ${name} cannot be ${JSON.stringify(value)}: allowed are ${allowed.join(', ')}${suggestion}`
  return { name, message, isName: false }
}
