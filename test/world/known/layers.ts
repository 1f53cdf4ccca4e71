import { load } from 'js-yaml'

/** Two files that together say what one says: the later one overrides, adds and removes. */
interface Layers {
  readonly base: string
  readonly over: string
}

type Entries = Record<string, Record<string, unknown>>

const SECTIONS = ['apiKeys', 'users', 'alertConfigurations', 'maintenanceWindows', 'integrations'] as const
/** Fields to which the base gives an impossible value, because overridden values must not be looked at. */
const OVERRIDDEN = ['enabled', 'description', 'roles', 'ensure', 'only'] as const

/** The later file removes it, so nobody ever creates it. */
const REMOVED = {
  alertTypeNames: ['HOST'],
  startDate: '2031-01-01T00:00:00Z',
  endDate: '2031-01-01T02:00:00Z',
}

/** Splits each entry between the files in one of four ways, depending on its position and name. */
export const layersOf = (manifest: string): Layers => {
  const { version, name, ...rest } = load(manifest) as Record<string, any>
  const [base, over]: [Record<string, any>, Record<string, any>] = [{ ...rest }, {}]
  const remove = ['maintenanceWindows.removed']
  for (const section of SECTIONS) {
    const entries: Entries = rest[section] ?? {}
    const [below, above]: [Entries, Entries] = [{}, {}]
    for (const [index, [called, entry]] of Object.entries(entries).entries()) {
      const field = OVERRIDDEN.find((each) => entry[each] !== undefined)
      const way = (index + called.length + section.length) % 4
      if (way === 0 || (way === 1 && field === undefined)) below[called] = entry
      else if (way === 1 && field !== undefined) {
        below[called] = { ...entry, [field]: 'overridden' }
        above[called] = { [field]: entry[field] }
      } else {
        above[called] = entry
        if (way === 2) {
          below[called] = { protect: 'overridden' }
          remove.push(`${section}.${called}`)
        }
      }
    }
    base[section] = below
    over[section] = above
  }
  base['maintenanceWindows'].removed = REMOVED
  const text = (parts: Record<string, any>): string => {
    const said = Object.entries(parts).filter(([, each]) => Object.keys(each).length > 0)
    return JSON.stringify({ version, name, ...Object.fromEntries(said) })
  }
  return { base: text(base), over: text({ ...over, remove }) }
}
