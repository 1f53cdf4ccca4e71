import { nearest } from '@deploymgmt/provider/core'
import { AddressError } from './errors/index.ts'
import type { Run, RunInput } from '@deploymgmt/provider/engine'

export type Target = Required<Pick<RunInput, 'target' | 'looksAt'>>

/**
 * Tells which addresses the globs of `--target` mean: `*` stands for anything. A glob that names an entry
 * means all of its instances; one that can name an instance lets its entry be looked at.
 */
export const targetOf = (globs: readonly string[]): Target | undefined => {
  if (globs.length === 0) return undefined
  const whole = globs.map(pattern)
  const beginnings = globs.flatMap(beginningsOf).map(pattern)
  const target = (address: string): boolean =>
    whole.some((glob) => glob.test(address) || glob.test(entryPart(address)))
  return {
    target,
    looksAt: (entry) => target(entry) || beginnings.some((glob) => glob.test(instanceBeginning(entry))),
  }
}

const entryPart = (address: string): string => address.replace(/\[.*$/s, '')

/** How the addresses of an entry's instances begin; an entry of several projects has a bracket already. */
const instanceBeginning = (entry: string): string =>
  entry.endsWith(']') ? `${entry.slice(0, -1)}/` : `${entry}[`

/** A glob can match what begins so if a part of it, up to anywhere, matches the beginning. */
const beginningsOf = (glob: string): string[] =>
  Array.from({ length: glob.length }, (_, index) => glob.slice(0, index + 1))

const pattern = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .split('*')
      .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
      .join('.*')}$`,
    's',
  )

/** @throws AddressError when a glob means nothing that is declared or recorded: a typing error must not pass as "nothing to do". */
export const refuseEmptyTarget = (globs: readonly string[], addresses: readonly string[]): void => {
  const idle = globs.filter((glob) => {
    const one = targetOf([glob])
    return one !== undefined && !addresses.some((address) => one.target(address) || one.looksAt(address))
  })
  if (idle.length === 0) return
  const meant = idle.flatMap((glob) => addressMeant(glob, addresses) ?? [])
  const suggestion = meant.length === 0 ? '' : `; did you mean ${meant.join(', ')}?`
  throw new AddressError(
    `--target ${idle.join(', --target ')} names nothing that is declared or recorded${suggestion}`,
    { hint: 'An address is SECTION.NAME; deploymgmt state list shows those that are recorded.' },
  )
}

/** Section and name are looked up apart: a long section must not make another name look near. */
const addressMeant = (glob: string, addresses: readonly string[]): string | undefined => {
  const known = [...new Set(addresses.map(entryPart))].map(partsOf)
  const { section, name } = partsOf(entryPart(glob))
  const sections = known.map((each) => each.section)
  if (section === '' && sections.includes(name)) return `${name}.*`
  const sectionMeant = section === '' ? undefined : nearest(section, sections)
  if (name.includes('*')) return sectionMeant === undefined ? undefined : `${sectionMeant}.${name}`
  const within = section === '' ? known : known.filter((each) => each.section === sectionMeant)
  const names = within.map((each) => each.name)
  const nameMeant = nearest(name, names)
  return within.find((each) => each.name === nameMeant)?.address
}

/** A word without a dot is a name. */
const partsOf = (address: string): { address: string; section: string; name: string } => {
  const dot = address.indexOf('.')
  return { address, section: address.slice(0, Math.max(dot, 0)), name: address.slice(dot + 1) }
}

/** The run with a warning for each glob that names instances and met none: they may be gone, or misspelt. */
export const withIdleTargets = (run: Run, globs: readonly string[]): Run => {
  const met = run.plan.planned.map(({ change }) => change.address)
  const idle = globs.filter(
    (glob) => /\[./.test(glob) && !met.some((address) => targetOf([glob])?.target(address)),
  )
  const warnings = idle.map((glob) => `--target ${glob} meets nothing that is declared or recorded`)
  return { ...run, plan: { ...run.plan, warnings: [...run.plan.warnings, ...warnings] } }
}
