/**
 * The parts of an address: `SECTION.NAME`, followed by `[KEY]` if one entry stands for several instances, by
 * `[PROJECT]` if it is declared for several projects, by `[PROJECT/KEY]` for both, and by `[replaced KEY]` while a
 * record waits for its release.
 */
export interface Address {
  /** `SECTION.NAME`. */
  readonly entry: string
  /** What the brackets contain, a project first; empty if the entry stands for itself. */
  readonly keys: readonly string[]
  /** The key of the thing that another one has replaced here. */
  readonly replaced: string | undefined
}

const REPLACED = '[replaced '

/** Parses an address. Any text is one, because a service may put anything into a key. */
export const parseAddress = (text: string): Address => {
  const aside = text.indexOf(REPLACED)
  const own = aside === -1 ? text : text.slice(0, aside)
  const replaced = aside === -1 ? undefined : text.slice(aside + REPLACED.length, -1)
  const open = own.indexOf('[')
  if (open === -1) return { entry: own, keys: [], replaced }
  const inside = own.slice(open + 1, -1)
  const slash = inside.indexOf('/')
  const keys = slash === -1 ? [inside] : [inside.slice(0, slash), inside.slice(slash + 1)]
  return { entry: own.slice(0, open), keys, replaced }
}

export const formatAddress = ({ entry, keys, replaced }: Address): string =>
  `${entry}${keys.length === 0 ? '' : `[${keys.join('/')}]`}${replaced === undefined ? '' : `${REPLACED}${replaced}]`}`

/** The address of an entry, without the parts that distinguish its instances. */
export const entryOf = (address: string): string => parseAddress(address).entry

/** The section of an address: `apiKeys` of `apiKeys.reporting`. */
export const sectionOf = (address: string): string => address.split('.', 1)[0] ?? ''

/** The address of one instance of an entry. */
export const instanceAddress = (entry: string, key: string | undefined): string => {
  if (key === undefined) return entry
  const parsed = parseAddress(entry)
  return formatAddress({ ...parsed, keys: [...parsed.keys, key] })
}

/** The prefix of the addresses of an entry's instances. */
export const instanceBeginning = (entry: string): string => instanceAddress(entry, '').slice(0, -1)

/** The address at which a record waits for its release, once its own address means another thing. */
export const replacedAddress = (address: string, key: string): string =>
  formatAddress({ ...parseAddress(address), replaced: key })

export const isReplaced = (address: string): boolean => parseAddress(address).replaced !== undefined

/**
 * Returns whether an address belongs to one of these entries, each of which may be declared for one of several
 * projects.
 */
export const belongsToOne = (entries: readonly string[]): ((address: string) => boolean) => {
  const names = new Set(entries)
  if (names.size === 0) return () => false
  return (address) => names.has(address) || wholesOf(address).some((whole) => names.has(whole))
}

/** The addresses that include this one: its entry, its entry in one project, and itself. */
export const wholesOf = (address: string): string[] => {
  const { entry, keys } = parseAddress(address)
  const wholes = [0, 1, 2].map((length) =>
    formatAddress({ entry, keys: keys.slice(0, length), replaced: undefined }),
  )
  return [...new Set(wholes)]
}
