import { parseAddress, wholesOf } from '@deploymgmt/provider/engine'
import { fewOf } from '@deploymgmt/provider/words'
import { nearestAddress } from '../../config/lists/accepted-drift.ts'
import { AddressError } from '../../errors/index.ts'
import type { ReportedDrift } from '../../render/document/drift-model.ts'
import { withoutOwnProject, withProjectId } from './address.ts'
import { targetOf } from './target.ts'

interface Projects {
  /** The names in the manifest, by id. */
  readonly names: Parameters<typeof withProjectId>[1]
  readonly own: Parameters<typeof withoutOwnProject>[2]
}

/**
 * The drift that an ADDRESS of the command line means: that of a thing, or of one of its fields.
 * @throws AddressError if there is no drift at the address
 */
export const resolveDrift = (
  given: string,
  resources: readonly ReportedDrift[],
  { names, own: ownOf }: Projects,
): { readonly drift: ReportedDrift; readonly field?: string } => {
  const isMeant = (text: string): boolean => resources.some(({ address }) => isWithin(text, address))
  const own = isMeant(given) ? given : withoutOwnProject(given, names, ownOf)
  const named = underRecordedName(withProjectId(own, names, isMeant), resources)
  const meant = instanceNamed(named, resources)
  const whole = resources.find(({ address }) => address === meant)
  if (whole !== undefined) {
    if (whole.verdict !== 'drifted') throw noDrift(whole)
    return { drift: whole }
  }
  const drift = resources.find(({ address }) => meant.startsWith(`${address}.`))
  if (drift === undefined) throw unknownAddress(meant, resources)
  if (drift.verdict !== 'drifted') throw noDrift(drift)
  const { address, fields } = drift
  const field = meant.slice(address.length + 1)
  if (!isAmong(field, fields)) {
    const paths = fields.map(({ path }) => path)
    throw new AddressError(`${field} of ${address} has not drifted`, {
      hint:
        paths.length === 0
          ? `Accept it as a whole: ${address}.`
          : `What has drifted of it: ${paths.join(', ')}.`,
    })
  }
  return { drift, field }
}

/** A renamed thing is reported under its old name until an apply has moved it; its new name means it, too. */
const underRecordedName = (named: string, resources: readonly ReportedDrift[]): string => {
  if (resources.some(({ address }) => wholeNamed(named, address) !== undefined)) return named
  for (const { address, movedTo } of resources) {
    const whole = movedTo === undefined ? undefined : wholeNamed(named, movedTo)
    if (movedTo === undefined || whole === undefined) continue
    const before = wholesOf(address)[wholesOf(movedTo).indexOf(whole)] ?? address
    return `${before}${named.slice(whole.length)}`
  }
  return named
}

/** Whether `named` is the address or a field of it. */
const isWithin = (named: string, address: string): boolean =>
  named === address || named.startsWith(`${address}.`)

/**
 * Resolves the name of something that stands for one thing at present (an entry, perhaps in one project), with a
 * field behind it.
 */
const instanceNamed = (named: string, resources: readonly ReportedDrift[]): string => {
  const isItself = resources.some(({ address }) => isWithin(named, address))
  const [only, ...others] = instancesOf(named, resources)
  return isItself || only === undefined || others.length > 0
    ? named
    : `${only.address}${named.slice(wholeNamed(named, only.address)?.length)}`
}

const instancesOf = (named: string, resources: readonly ReportedDrift[]): ReportedDrift[] =>
  resources.filter(
    ({ address }) => parseAddress(address).keys.length > 0 && wholeNamed(named, address) !== undefined,
  )

/** The address that is named, or whose field is named. */
const wholeNamed = (named: string, address: string): string | undefined =>
  wholesOf(address).find((whole) => isWithin(named, whole))

const NO_DRIFT = {
  'in-sync': 'it is as it was last applied',
  pending: 'it is declared but not applied yet',
  unverifiable: 'no event speaks against what is recorded',
}

const noDrift = ({ address, verdict, evidence }: ReportedDrift): AddressError => {
  if (verdict === 'unverifiable' && evidence.eventsUnread === true)
    return new AddressError(`it is not known whether ${address} has drifted: ${evidence.note ?? ''}`, {
      hint: 'Accept it with a key that may read events: it needs the role ORG_MEMBER in the organization.',
    })
  return new AddressError(
    `${address} has not drifted${verdict === 'drifted' ? '' : `: ${NO_DRIFT[verdict]}`}`,
    {
      hint: 'deploymgmt drift shows what has drifted; nothing else can be accepted.',
    },
  )
}

const unknownAddress = (meant: string, resources: readonly ReportedDrift[]): AddressError => {
  const isMeant = meant.includes('*') ? targetOf([meant])?.includes : undefined
  const instances =
    isMeant === undefined
      ? instancesOf(meant, resources)
      : resources.filter(({ address }) => isMeant(address))
  if (instances.length > 0 || isMeant !== undefined) {
    const [entry, field] = isMeant === undefined ? parted(meant, instances) : [meant]
    const drifted = instances
      .filter(({ verdict, fields }) => verdict === 'drifted' && isAmong(field, fields))
      .map(({ address }) => (field === undefined ? address : `${address}.${field}`))
    const means = isMeant === undefined ? 'stands for' : 'is a pattern for'
    return new AddressError(
      `${entry} ${means} ${instances.length} ${instances.length === 1 ? 'address' : 'addresses'}: each is accepted by itself`,
      {
        hint:
          drifted.length === 0
            ? `None of them has drifted${field === undefined ? '' : ` in ${field}`}.`
            : `What has drifted: ${fewOf(drifted)}. --baseline accepts all that has drifted.`,
      },
    )
  }
  const near = nearestAddress(
    meant,
    resources.map(({ address }) => address),
  )
  return new AddressError(`nothing is declared or recorded at ${meant}`, {
    hint: near === undefined ? 'deploymgmt drift shows the addresses.' : `Did you mean ${near}?`,
  })
}

/** The name of something that stands for several things, and the field behind it. */
const parted = (meant: string, [first]: readonly ReportedDrift[]): [string, string?] => {
  const whole = (first === undefined ? undefined : wholeNamed(meant, first.address)) ?? meant
  return meant === whole ? [whole] : [whole, meant.slice(whole.length + 1)]
}

const isAmong = (field: string | undefined, fields: ReportedDrift['fields']): boolean =>
  field === undefined || fields.some(({ path }) => path === field)
