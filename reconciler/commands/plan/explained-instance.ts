import { nearest } from '@deploymgmt/provider/core'
import {
  entryOf,
  formatAddress,
  parseAddress,
  type Address,
  type Change,
  type Declaration,
  type Run,
} from '@deploymgmt/provider/engine'
import { UsageError } from '../../errors/index.ts'
import { projectsSentence } from '../../render/wording/explained.ts'
import { quoted } from '../../text/display.ts'
import { few } from '../../text/few.ts'

interface Context {
  readonly declaration: Declaration
  readonly run: Run
  /** The names of the projects that the entry excludes. */
  readonly except: readonly string[]
}

/**
 * The address of an instance of the entry; `asked` can contain the name of a project.
 *
 * @throws UsageError if the entry has no such instance
 */
export const instanceMeant = (asked: string, context: Context): string => {
  const meant = byIds(parseAddress(asked), context.declaration)
  const address = formatAddress(meant)
  const known = instancesOf(meant.entry, context)
  if (known.includes(address)) return address
  const [says, hint] = whyNone(meant, known, context)
  throw new UsageError(`--explain: ${says ?? `${meant.entry} does not stand for ${quoted(asked)}`}`, { hint })
}

/** The projects of an entry for several projects, by name if they have one. */
export const projectsOfEntry = (entry: string, { entries, projectNames }: Declaration): string[] =>
  entries
    .filter(({ address }) => entryOf(address) === entry && address !== entry)
    .flatMap(({ address }) => parseAddress(address).keys.slice(0, 1))
    .map((id) => projectNames.get(id) ?? id)

/** Replaces names of projects by ids. */
const byIds = ({ entry, keys: [first, ...others] }: Address, { projectNames }: Declaration): Address => {
  const id = [...projectNames].find(([, name]) => name === first)?.[0]
  const place = id ?? first
  return { entry, keys: place === undefined ? [] : [place, ...others], replaced: undefined }
}

/** The instances of an entry according to the declaration and to what was found. */
const instancesOf = (entry: string, { declaration, run }: Context): string[] => {
  const declared = declaration.entries.map(({ address }) => address)
  const planned = run.plan.planned
    .filter(({ change }) => change.after !== null)
    .map(({ change }) => change.address)
  return [...new Set([...declared, ...planned])].filter((address) => entryOf(address) === entry)
}

type Why = readonly [says: string | undefined, hint: string]

/** Why there is no such instance, and what can be asked for instead. */
const whyNone = (meant: Address, known: readonly string[], { declaration, run, except }: Context): Why => {
  const { entry } = meant
  const { planned, targeted } = run.plan
  const name = declaration.projectNames.get(meant.keys[0] ?? '')
  if (name !== undefined && except.includes(name)) {
    const projects = projectsOfEntry(entry, declaration)
    return [`${entry} leaves project ${name} out`, projectsSentence({ projects }).join('')]
  }
  if (known.length === 1 && known[0] === entry)
    return [undefined, `${entry} stands for one thing: omit what is in brackets.`]
  const by = planned.find(({ change }) => change.takenFrom === entry && isOf(change, meant))
  if (by !== undefined)
    return [undefined, `${entryOf(by.change.address)} declares it by its id, and an id beats a selector.`]
  if (planned.some(({ change }) => change.address === formatAddress(meant)))
    return [undefined, 'It is recorded, but no longer part of the entry: the plan says what happens to it.']
  if (targeted && !planned.some(({ change }) => entryOf(change.address) === entry))
    return [
      `--target leaves ${entry} out, so what it stands for was not looked at`,
      'Omit --target, or name the entry with it.',
    ]
  return [undefined, nearestTo(meant, known)]
}

/** Whether a change is about the thing that the last key of an address names. */
const isOf = ({ before, after }: Change, { keys }: Address): boolean =>
  Object.values(after ?? before ?? {}).includes(keys.at(-1))

const nearestTo = ({ keys }: Address, known: readonly string[]): string => {
  const last = keys.at(-1) ?? ''
  const same = known.filter((each) => lastOf(each) === last)
  const meant = same.length === 1 ? same[0] : nearestWithin(last, keys[0], known)
  return meant === undefined ? `It stands for ${few(known)}.` : `Did you mean ${meant}?`
}

/** Ids are long and alike, so keys are compared by themselves, within the named project. */
const nearestWithin = (
  last: string,
  first: string | undefined,
  known: readonly string[],
): string | undefined => {
  const within = known.filter((each) => parseAddress(each).keys[0] === first)
  const among = within.length > 0 ? within : known
  const key = nearest(last, among.map(lastOf))
  return among.find((each) => lastOf(each) === key)
}

const lastOf = (address: string): string => parseAddress(address).keys.at(-1) ?? ''
