import { defaultRelease, type KindDefinition, type Values } from '@deploymgmt/provider/core'
import { parseAddress, type Entry } from '@deploymgmt/provider/engine'
import { flow } from '../../adopt/yaml.ts'

/** The settings of an entry that differ from the defaults. */
export const settingsOf = (
  definition: KindDefinition,
  { onRemove, protect, ignoreChanges }: Pick<Entry, 'onRemove' | 'protect' | 'ignoreChanges'>,
): Values => ({
  ...(onRemove === defaultRelease(definition) ? {} : { onRemove }),
  ...(protect ? { protect } : {}),
  ...(ignoreChanges.length === 0 ? {} : { ignoreChanges }),
})

interface OwnEntry {
  readonly address: string
  /** Name and fields in one line. */
  readonly text: string
}

interface Own {
  readonly values: Values
  /** The addresses of all entries. */
  readonly taken: ReadonlySet<string>
  /** Those of the selector's entry that differ from the defaults. */
  readonly settings?: Values
}

/**
 * An entry that declares one thing of a selector by its id, ready to be pasted: an id beats a selector. Undefined if
 * its name is taken.
 *
 * @param address of the thing, as an instance of the selector's entry
 */
export const ownEntryOf = (
  address: string,
  { fields }: KindDefinition,
  { values, taken, settings = {} }: Own,
): OwnEntry | undefined => {
  const { entry, keys } = parseAddress(address)
  const key = keys.at(-1) ?? ''
  // Ids that were assigned in sequence differ at their ends.
  const free = [key.slice(-6), key].find((end) => !taken.has(`${entry}-${end}`))
  const own = { ...Object.fromEntries(Object.keys(fields).map((path) => [path, values[path]])), ...settings }
  if (free === undefined) return undefined
  const named = `${entry}-${free}`
  return { address: named, text: `${named.slice(named.indexOf('.') + 1)}: ${flow(own)}` }
}
