import { basename, dirname, resolve } from 'node:path'
import { endOf } from '@deploymgmt/provider/core'
import { parseAddress, wholesOf } from '@deploymgmt/provider/engine'
import { fewOf } from '@deploymgmt/provider/words'
import { DEFAULT_MANIFEST, textWith } from '../../config/index.ts'
import { nodeFiles, realTarget } from '../../disk/files.ts'
import { AddressError, UsageError } from '../../errors/index.ts'
import { concealed, type Io } from '../../io.ts'
import { whatToAccept, withAccepted } from '../../render/document/acceptances.ts'
import type { SaidDrift } from '../../render/document/drift-model.ts'
import { wordsAbout } from '../run/plan-words.ts'
import { nameOfAccepted, nearestAddress, type ToAccept } from '../../config/lists/accepted-drift.ts'
import { acceptFacts } from '../run/accepted-place.ts'
import { ownProjects, withoutOwnProject, withProjectId } from '../meant/address-meant.ts'
import type { CommonOptions } from '../line/options.ts'
import { writeTextFile } from '../output/output.ts'
import { reporter } from '../output/report.ts'
import { tell } from '../output/tell.ts'
import { targetOf } from '../meant/target.ts'
import { findDrift, type AcceptedOptions, type FoundDrift } from './find.ts'

interface AcceptOptions extends CommonOptions, AcceptedOptions {
  readonly reason: string
  readonly until?: string
  readonly baseline?: boolean
}

/** Records that a drift is accepted as it is now. Only reads from the service. */
export const driftAccept = async (io: Io, options: AcceptOptions, meant?: string): Promise<number> => {
  refuseUnclear(options, meant)
  const report = await reporter(io, options, 'done')
  return findDrift(io, options, async (found) => {
    refuseOver(options, found.read.run.now)
    const { run, loaded } = found.read
    const words = wordsAbout(loaded)
    for (const each of run.log.warnings) await tell(io, `Warning: ${words.says(each)}.`)
    const said = saidFor(io, options, found)
    const entries = meant === undefined ? baselineOf(found, said) : [entryFor(meant, found, said)]
    if (entries.length > 0) await write(io, found, entries, options)
    await report({ document: { formatVersion: 1, done: saying(entries, found, options) } })
    return 0
  })
}

const refuseUnclear = (
  { reason, baseline = false, until, accepted }: AcceptOptions,
  meant?: string,
): void => {
  if (reason.trim() === '') throw new UsageError('--reason is empty: say why the drift is accepted')
  if ((meant === undefined) !== baseline)
    throw new UsageError('give one ADDRESS, or --baseline for all that has drifted')
  if (accepted !== undefined && /\.json$/i.test(accepted))
    throw new UsageError('--accepted names a JSON file, but YAML is written: name it .yaml')
  if (until !== undefined && endOf(until) === undefined)
    throw new UsageError(`--until ${until} is not a date`, {
      hint: 'Give a day in UTC, such as 2026-12-31, or an instant, such as 2026-12-31T18:00:00Z.',
    })
}

const refuseOver = ({ until }: AcceptOptions, now: Date): void => {
  if (until !== undefined && (endOf(until) ?? 0) < now.getTime())
    throw new UsageError(`--until ${until} is in the past`, {
      hint: 'Give a day or an instant in the future, or omit --until.',
    })
}

/**
 * Whether the folder may contain other manifests: they share the file beside the first one, and are distinguished by
 * name.
 */
const isOneOfSeveral = (io: Pick<Io, 'cwd'>, files: readonly string[], path: string): boolean => {
  const [only, ...others] = files
  // A named folder is one complete manifest.
  if (only !== undefined && others.length === 0 && resolve(io.cwd, only) === dirname(path)) return false
  return others.length > 0 || files.some((file) => basename(file) !== DEFAULT_MANIFEST)
}

/**
 * The reason and end for each entry. What was accepted for this manifest alone takes precedence over what was
 * accepted for any, and stays specific.
 */
const saidFor = (
  io: Pick<Io, 'cwd'>,
  { reason, until, file }: AcceptOptions,
  { accepted: { name, path, content } }: FoundDrift,
): ((address: string) => Pick<ToAccept, 'manifest' | 'reason' | 'until'>) => {
  const isSeveral = isOneOfSeveral(io, file, path)
  const own = (content?.items ?? []).flatMap(({ entry }) => (entry.manifest === name ? [entry.address] : []))
  return (address) => ({
    ...(isSeveral || own.includes(address) ? { manifest: name } : {}),
    reason,
    ...(until === undefined ? {} : { until }),
  })
}

/**
 * Accepts all drift that is not accepted in its present form. Acceptances by field stay, as do those that still
 * apply.
 */
const baselineOf = (found: FoundDrift, said: ReturnType<typeof saidFor>): ToAccept[] => {
  const facts = acceptFacts(found)
  const { resources, accepted = [] } = withAccepted(found.document, facts)
  const byField = new Set([
    ...facts.accepted.flatMap(({ address, field }) => (field === undefined ? [] : [address])),
    ...accepted.map(({ address }) => address),
  ])
  return resources
    .filter(({ verdict }) => verdict === 'drifted')
    .flatMap((drift): ToAccept[] => {
      const { address, fields } = drift
      return byField.has(address) && fields.length > 0
        ? fields.map(({ path }) => ({
            address,
            field: path,
            ...whatToAccept(drift, path),
            ...said(address),
          }))
        : [{ address, ...whatToAccept(drift), ...said(address) }]
    })
}

/** @throws AddressError if there is no drift at the address */
const entryFor = (given: string, found: FoundDrift, said: ReturnType<typeof saidFor>): ToAccept => {
  const { document, read } = found
  const { resources } = document
  const { declaration } = read.loaded
  const { projectNames } = declaration
  const isMeant = (text: string): boolean => resources.some(({ address }) => isWithin(text, address))
  const own = isMeant(given)
    ? given
    : withoutOwnProject(given, projectNames, ownProjects(declaration, read.records))
  const named = withProjectId(own, projectNames, isMeant)
  const meant = instanceNamed(named, resources)
  const whole = resources.find(({ address }) => address === meant)
  if (whole !== undefined) {
    if (whole.verdict !== 'drifted') throw noDrift(whole)
    return { address: meant, ...whatToAccept(whole), ...said(meant) }
  }
  const drift = resources.find(({ address }) => meant.startsWith(`${address}.`))
  if (drift === undefined) throw unknownAddress(meant, resources)
  if (drift.verdict !== 'drifted') throw noDrift(drift)
  const { address, fields } = drift
  const field = meant.slice(address.length + 1)
  if (!fields.some(({ path }) => path === field)) {
    const names = fields.map(({ path }) => path)
    throw new AddressError(`${field} of ${address} has not drifted`, {
      hint:
        names.length === 0
          ? `Accept it as a whole: ${address}.`
          : `What has drifted of it: ${names.join(', ')}.`,
    })
  }
  return { address, field, ...whatToAccept(drift, field), ...said(address) }
}

/** Whether `named` is the address or a field of it. */
const isWithin = (named: string, address: string): boolean =>
  named === address || named.startsWith(`${address}.`)

/**
 * Resolves the name of something that stands for one thing at present (an entry, perhaps in one project), with a
 * field behind it.
 */
const instanceNamed = (named: string, resources: readonly SaidDrift[]): string => {
  const isItself = resources.some(({ address }) => isWithin(named, address))
  const [only, ...others] = instancesOf(named, resources)
  return isItself || only === undefined || others.length > 0
    ? named
    : `${only.address}${named.slice(wholeNamed(named, only.address)?.length)}`
}

const instancesOf = (named: string, resources: readonly SaidDrift[]): SaidDrift[] =>
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

const noDrift = ({ address, verdict, evidence }: SaidDrift): AddressError => {
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

const unknownAddress = (meant: string, resources: readonly SaidDrift[]): AddressError => {
  const isMeant = meant.includes('*') ? targetOf([meant])?.target : undefined
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
const parted = (meant: string, [first]: readonly SaidDrift[]): [string, string?] => {
  const whole = (first === undefined ? undefined : wholeNamed(meant, first.address)) ?? meant
  return meant === whole ? [whole] : [whole, meant.slice(whole.length + 1)]
}

const isAmong = (field: string | undefined, fields: SaidDrift['fields']): boolean =>
  field === undefined || fields.some(({ path }) => path === field)

/** A symbolic link stays: its target is replaced. */
const write = async (
  io: Io,
  { accepted }: FoundDrift,
  entries: readonly ToAccept[],
  { baseline = false }: AcceptOptions,
): Promise<void> => {
  const path = await realTarget(nodeFiles, accepted.path).catch(() => accepted.path)
  const text = textWith(accepted.content, entries, { keepsFields: baseline })
  await writeTextFile(path, concealed(text, io.secrets), 0o666)
}

const saying = (
  entries: readonly ToAccept[],
  { accepted: { file } }: FoundDrift,
  { until }: AcceptOptions,
): string | string[] => {
  const end = until === undefined ? '' : `, until ${until}`
  if (entries.length === 0) return 'Nothing has drifted that is not accepted.'
  return [
    ...entries.map((entry) => `${nameOfAccepted(entry)} is accepted as it is now${end}.`),
    `Commit ${file}. An apply still undoes it: to keep it for good, edit the manifest or use ignoreChanges.`,
  ]
}
