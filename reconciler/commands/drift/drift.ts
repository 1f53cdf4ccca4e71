import type { Io } from '../../io.ts'
import { withAccepted } from '../../render/document/acceptances.ts'
import type { DriftDocument, ReportedDrift } from '../../render/document/drift-model.ts'
import { withWaysOut } from '../../render/document/ways-out.ts'
import { acceptFacts, refuseUnlessThere } from '../run/accepted-place.ts'
import { sameFlagsOf } from '../line/options.ts'
import { headOf, reporter } from '../output/report.ts'
import { styleFactsOf } from '../output/style-facts.ts'
import { findDrift, type AcceptedOptions } from './find.ts'
import { tell } from '../output/tell.ts'
import { keepingFacts } from './keeping.ts'
import type { UnmanagedOptions } from './unmanaged.ts'

/** Compares live with what was last applied. Only reads, and writes nothing. */
export const drift = async (io: Io, options: AcceptedOptions & UnmanagedOptions): Promise<number> => {
  const report = await reporter(io, options, 'drift')
  const started = io.now()
  return findDrift(
    io,
    options,
    async (found) => {
      refuseUnlessThere(found.accepted, options)
      const { loaded, run, stillOpen } = found.read
      const { declaration } = loaded
      const judged = withAccepted(found.document, acceptFacts(found))
      const ways = { sameFlags: sameFlagsOf(options), ...keepingFacts(found.read) }
      const document: DriftDocument = {
        ...withWaysOut(judged, ways),
        exitCode: stillOpen?.error.exitCode ?? exitCodeOf(judged, options),
      }
      await report(
        { document, head: headOf(declaration, started, io) },
        styleFactsOf(document.about, run.now),
      )
      if (stillOpen !== undefined) await tell(io, stillOpen.error.describe())
      return document.exitCode
    },
    { leavesOpen: true },
  )
}

/**
 * Not the opposite of `inSync`: an edit that waits for its apply is only reported, until it is late. Accepted drift no
 * longer counts here.
 */
const exitCodeOf = (
  { summary, resources, toBeSettled, unmanagedCounts = false }: Omit<DriftDocument, 'exitCode'>,
  { strict = false }: UnmanagedOptions,
): number => {
  const isLate = resources.some((each) => each.isLate === true)
  const news = unmanagedCounts ? (summary.unmanaged ?? 0) : 0
  const differs = summary.drifted + news > 0 || isLate || toBeSettled.length > 0
  return differs || (strict && resources.some(isUnverified)) ? 2 : 0
}

/** An edit that is not applied yet does not make a thing verifiable. */
const isUnverified = ({ verdict, identity, evidence }: ReportedDrift): boolean =>
  verdict === 'unverifiable' || (verdict === 'pending' && identity !== undefined && evidence.level !== 'read')
