import { nearest } from '@deploymgmt/provider/core'
import {
  entryOf,
  instanceBeginning,
  parseAddress,
  reason,
  type Declaration,
  type Plan,
  type Reason,
  type Records,
  type Target,
  wholesOf,
} from '@deploymgmt/provider/engine'
import { AddressError } from '../../errors/index.ts'
import { shellWord } from '../../text/display.ts'
import { groupBy } from '../../text/group-by.ts'
import { meansProject, ownProjects, withProjectId } from './address.ts'

/**
 * Compiles the globs of `--target`; `*` stands for any text. A glob that matches an entry means all of its
 * instances, within the project that the glob names, if any; a glob that could match an instance makes its entry be
 * read.
 */
export const targetOf = (globs: readonly string[]): Target | undefined => {
  if (globs.length === 0) return undefined
  const { means, mayBegin } = compiled(globs)
  const includes = (address: string): boolean => means(address) || wholesOf(address).some(means)
  return { includes, looksAt: (entry) => includes(entry) || mayBegin(instanceBeginning(entry)) }
}

export const hasStar = (glob: string): boolean => glob.includes('*')

/** Globs without a star are looked up: an apply can have as many of them as addresses. */
const compiled = (globs: readonly string[]) => {
  const plain = globs.filter((glob) => !hasStar(glob))
  const [named, begun] = [new Set(plain), new Set(plain.flatMap(beginningsOf))]
  const starred = globs.filter(hasStar)
  const meanings = starred.map(meaningOf)
  return {
    means: (text: string): boolean => named.has(text) || meanings.some((means) => means(text)),
    /** Whether one of them can match a text with this beginning, which is that of an instance. */
    mayBegin: (beginning: string): boolean =>
      begun.has(beginning) || starred.some((glob) => canBegin(glob, beginning)),
  }
}

/** The beginnings of an address that are those of instances, too: they end with a bracket or a slash. */
const beginningsOf = (address: string): string[] =>
  [...address.matchAll(/[[/]/gu)].map(({ index }) => address.slice(0, index + 1))

/** Whether a glob matches a whole text. */
export const matches = (glob: string, text: string): boolean => meaningOf(glob)(text)

/**
 * Compiles a glob that must match a whole text. Each part between stars is taken at its first match: there is no
 * backtracking, however many stars there are.
 */
const meaningOf = (glob: string): ((text: string) => boolean) => {
  const [first = '', ...others] = glob.split('*')
  const last = others.pop()
  if (last === undefined) return (text) => text === glob
  return (text) => {
    if (!text.startsWith(first)) return false
    let at = first.length
    for (const part of others) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return text.length - last.length >= at && text.endsWith(last)
  }
}

/** Whether a glob with a star can match a text with this beginning: only what is before the star can prevent that. */
const canBegin = (glob: string, beginning: string): boolean => {
  const [first = ''] = glob.split('*', 1)
  return first.startsWith(beginning) || beginning.startsWith(first)
}

/**
 * The globs of `--target`, with ids in place of project names. An entry of a single project, whose address does not
 * contain the project, replaces a glob that names the entry with that project.
 */
export const resolveGlobs = (
  globs: readonly string[],
  declaration: Pick<Declaration, 'entries' | 'projectNames'>,
  records: Records,
): readonly string[] => {
  if (globs.length === 0) return globs
  const { projectNames } = declaration
  const addresses = addressesKnown(declaration, records)
  const means = meansAny(addresses)
  const own = ownProjects(declaration, records)
  // A star before the brackets can match entries of every kind; there, the name of a project means that project.
  const isMeantAsItIs = (glob: string): boolean => !/^[^[]*\*/.test(glob) && means(glob)
  return globs.flatMap((glob) => {
    const named = withProjectId(glob, projectNames, isMeantAsItIs)
    const [, entry, project] = /^([^[]*)\[([^\]/*]+)\]$/su.exec(glob) ?? []
    if (entry === undefined) return named
    const known = entry.includes('*') ? [...own.keys()].filter(meaningOf(entry)) : [entry]
    const isMeant = meansProject(project, projectNames)
    const entries = known.filter((each) => isMeant(own.get(each)))
    if (entries.length === 0) return named
    // A key can have the same name as a project, and a star also matches entries of several projects.
    const target = targetOf([named])
    if (target === undefined || !addresses.some(target.includes)) return entries
    return entry.includes('*') ? [named, ...entries] : named
  })
}

/** Whether a glob matches one of these addresses, or what includes it, or possibly an instance of one. */
const meansAny = (addresses: readonly string[]): ((glob: string) => boolean) => {
  const names = new Set(addresses.flatMap((address) => [address, ...wholesOf(address)]))
  const beginnings = new Set(addresses.map(instanceBeginning))
  return (glob) =>
    hasStar(glob)
      ? [...names].some(meaningOf(glob)) || [...beginnings].some((each) => canBegin(glob, each))
      : names.has(glob) || beginningsOf(glob).some((each) => beginnings.has(each))
}

/**
 * @throws AddressError if a glob matches nothing declared or recorded: a typing error must not pass as "nothing to
 * do"
 */
export const refuseEmptyTarget = (
  globs: readonly string[],
  declaration: Declaration,
  records: Records,
): void => {
  if (globs.length === 0) return
  if (globs.some((glob) => glob.trim() === ''))
    throw new AddressError('the target is empty', {
      hint: 'An address is SECTION.NAME. If --target was given a variable of the shell, it is not set.',
    })
  const addresses = addressesKnown(declaration, records)
  const means = meansAny(addresses)
  const idle = globs.filter((glob) => !means(glob))
  refuseIdle(idle, addresses, declaration, records)
}

/**
 * The same once the instances of entries are known. A glob with a star may match nothing at present; one without a
 * star names a thing, which may be gone only if it is recorded.
 * @throws AddressError
 */
export const refuseIdleTarget = (
  globs: readonly string[],
  declaration: Declaration,
  records: Records,
  { planned }: Plan,
): void => {
  const named = globs.filter((glob) => !hasStar(glob))
  if (named.length === 0) return
  const addresses = [...addressesKnown(declaration, records), ...planned.map(({ change }) => change.address)]
  const known = new Set(addresses.flatMap((address) => [address, ...wholesOf(address)]))
  const idle = named.filter((glob) => !known.has(glob))
  refuseIdle(idle, addresses, declaration, records)
}

const refuseIdle = (
  idle: readonly string[],
  addresses: readonly string[],
  declaration: Declaration,
  records: Records,
): void => {
  if (idle.length === 0) return
  const own = ownProjects(declaration, records)
  const spelt = (glob: string): string | undefined =>
    instanceMeant(glob, addresses, declaration.projectNames, own) ?? similarAddress(glob, addresses)
  const meant = idle.flatMap((glob) => spelt(glob) ?? [])
  const suggestion = meant.length === 0 ? '' : `; did you mean ${meant.join(', ')}?`
  throw new AddressError(
    `--target ${idle.join(', --target ')} names nothing that is declared or recorded${suggestion}`,
    { hint: 'An address is SECTION.NAME; deploymgmt state list shows those that are recorded.' },
  )
}

/** @throws AddressError if a target includes the old address of a thing and not its new one: a move is one act */
export const refuseParted = ({ parted }: Plan): void => {
  if (parted.length === 0) return
  // If an entry has several things, it is named once instead of each of them.
  const groups = groupBy(parted, ({ from, to }) => `${entryOf(from)} ${entryOf(to)}`)
  const told = groups.flatMap((group) => {
    const [first, ...others] = group
    return first === undefined || others.length === 0
      ? group
      : [{ from: entryOf(first.from), to: entryOf(first.to) }]
  })
  const renamed = told.map(({ from, to }) => `${from} is now declared as ${to}`).join(', ')
  const targets = told.map(({ to }) => ` --target ${shellWord(to)}`).join('')
  throw new AddressError(`the target leaves out a new name: ${renamed}`, {
    hint: `The new name means both:${targets}`,
  })
}

/** Section and name are compared separately: a long section must not make another name look similar. */
const similarAddress = (glob: string, addresses: readonly string[]): string | undefined => {
  const known = [...new Set(addresses.map(entryOf))].map(partsOf)
  const { section, name } = partsOf(entryOf(glob))
  const sections = known.map((each) => each.section)
  if (section === '' && sections.includes(name)) return `${name}.*`
  if (name === '' && sections.includes(section)) return `${section}.*`
  const sectionMeant = section === '' ? undefined : nearest(section, sections)
  if (name.includes('*'))
    return sectionMeant === undefined || sectionMeant === section ? undefined : `${sectionMeant}.${name}`
  const within = section === '' ? known : known.filter((each) => each.section === sectionMeant)
  const names = within.map((each) => each.name)
  const nameMeant = nearest(name, names)
  const found = within.find((each) => each.name === nameMeant)
  if (found !== undefined || section !== '') return found?.address
  const whole = nearest(name, sections)
  return whole === undefined ? undefined : `${whole}.*`
}

/** The most similar existing instance of an entry, with its project by name, if it has one. */
const instanceMeant = (
  glob: string,
  addresses: readonly string[],
  names: ReadonlyMap<string, string>,
  own: ReadonlyMap<string, string>,
): string | undefined => {
  const { entry, keys } = parseAddress(glob)
  if (keys.length === 0) return undefined
  const within = addresses.filter((address) => entryOf(address) === entry).flatMap(wholesOf)
  const named = (id = ''): string => names.get(id) ?? id
  const brackets = within.flatMap((address) => {
    const [first, ...others] = parseAddress(address).keys
    return first === undefined ? [] : [[named(first), ...others].join('/')]
  })
  const project = own.has(entry) ? [named(own.get(entry))] : []
  const meant = nearest(keys.join('/'), [...brackets, ...project])
  return meant === undefined ? undefined : `${entry}[${meant}]`
}

/** A word without a dot is a name. */
const partsOf = (address: string): { address: string; section: string; name: string } => {
  const dot = address.indexOf('.')
  return { address, section: address.slice(0, Math.max(dot, 0)), name: address.slice(dot + 1) }
}

/**
 * A warning for each glob that names instances and met neither one of them nor their blocked entry: they may be gone,
 * or misspelt.
 */
export const idleTargets = ({ planned }: Plan, globs: readonly string[]): Reason[] => {
  if (globs.length === 0) return []
  const isMet = meansAny(planned.map(({ change }) => change.address))
  const idle = globs.filter((glob) => /\[./.test(glob) && !isMet(glob))
  return idle.map((glob) => reason('target-meets-nothing', { glob }))
}

/** All addresses that an argument can mean: declared and recorded ones. */
const addressesKnown = ({ entries }: Pick<Declaration, 'entries'>, records: Records): string[] => [
  ...entries.map(({ address }) => address),
  ...Object.keys(records),
]
