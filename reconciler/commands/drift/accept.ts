import { basename, dirname, resolve } from 'node:path'
import { endOf } from '@deploymgmt/provider/core'
import { DEFAULT_MANIFEST, textWith } from '../../config/index.ts'
import { nodeFiles, realTarget } from '../../disk/files.ts'
import { UsageError } from '../../errors/index.ts'
import { concealed, type Io } from '../../io.ts'
import { whatToAccept, withAccepted } from '../../render/document/acceptances.ts'
import { wordsAbout } from '../run/plan-words.ts'
import { nameOfAccepted, type ToAccept } from '../../config/lists/accepted-drift.ts'
import { acceptFacts } from '../run/accepted-place.ts'
import { ownProjects } from '../resolve/address.ts'
import { resolveDrift } from '../resolve/drift.ts'
import type { CommonOptions } from '../line/options.ts'
import { replaceTextFile } from '../output/output.ts'
import { reporter } from '../output/report.ts'
import { tell } from '../output/tell.ts'
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
const entryFor = (
  given: string,
  { document, read }: FoundDrift,
  said: ReturnType<typeof saidFor>,
): ToAccept => {
  const { declaration } = read.loaded
  const { drift, field } = resolveDrift(given, document.resources, {
    names: declaration.projectNames,
    own: ownProjects(declaration, read.records),
  })
  const { address } = drift
  return {
    address,
    ...(field === undefined ? {} : { field }),
    ...whatToAccept(drift, field),
    ...said(address),
  }
}

/** A symbolic link stays: its target is replaced. */
const write = async (
  io: Io,
  { accepted }: FoundDrift,
  entries: readonly ToAccept[],
  { baseline = false }: AcceptOptions,
): Promise<void> => {
  const path = await realTarget(nodeFiles, accepted.path).catch(() => accepted.path)
  const text = textWith(accepted.content, entries, { keepsFields: baseline })
  await replaceTextFile(path, concealed(text, io.secrets))
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
