import type { RecordedResource } from '@deploymgmt/provider/engine'
import { CancelledError, DeploymgmtError } from '@deploymgmt/provider/errors'
import type { Io } from '../../io.ts'
import type { SilenceRow } from '../../render/document/reports.ts'
import { readSession } from '../../state/index.ts'
import { duration } from '../../text/instants.ts'
import { abortAfter } from '../service/abort-after.ts'
import type { CommonOptions } from '../line/options.ts'
import { reporter } from '../output/report.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { busyWarnings } from '../run/unknown-outcomes.ts'
import { withClient } from '../service/with-client.ts'
import { baseUrlFrom } from '../service/base-url.ts'
import { clockPath, idOf, nameIn, quietOf } from './kind.ts'
import { basisOf, refuseMoved } from './state.ts'

/** Lists recorded silences; asks the service only for its time. */
export const silenceList = async (io: Io, options: CommonOptions): Promise<number> => {
  const report = await reporter(io, options, 'silences')
  const { loaded, at } = await basisOf(io, options)
  const { projectNames } = loaded.declaration
  const { name, ...where } = at
  const expect = { name, baseUrl: await baseUrlFrom(io, options) }
  const session = await readSession({ ...where, expect }, systemOf(io)).catch(refuseMoved)
  for (const notice of [...session.notices, ...busyWarnings(session)]) await tell(io, notice)
  const records = new Map(Object.entries(session.state.resources))
  const unknown = new Set(session.unknown.map(({ address }) => address))
  // For a creation without an answer, the intended values are known.
  for (const { address, detail } of session.unknown)
    if (!records.has(address)) records.set(address, detail.expected)
  const row = ([address, record]: readonly [string, RecordedResource]): SilenceRow => {
    const { projectId, types, from, to, reason } = quietOf(record)
    const project = projectNames.get(projectId)
    return {
      id: idOf(record) ?? null,
      name: nameIn(address),
      projectId,
      ...(project === undefined ? {} : { project }),
      alertTypeNames: types,
      startDate: from,
      endDate: to,
      ...(reason === undefined ? {} : { reason }),
      status: unknown.has(address) ? 'unknown' : 'open',
    }
  }
  const rows = [...records].map(row)
  const now = rows[0] === undefined ? undefined : await timeAt(io, options, rows[0])
  const silences = rows
    .filter(({ endDate }) => now === undefined || Date.parse(endDate) > now)
    .toSorted((a, b) => Date.parse(a.endDate) - Date.parse(b.endDate))
  await report({ document: { formatVersion: 1, silences } }, { names: projectNames })
  return 0
}

/** The records are local, so an unavailable service is not worth a long wait. */
const PATIENCE_MS = 5_000

/**
 * The service's time, by which windows end, because the clock of this machine can be wrong. If it is not available,
 * no window is known to be over.
 */
const timeAt = async (
  io: Io,
  options: CommonOptions,
  { projectId }: Pick<SilenceRow, 'projectId'>,
): Promise<number | undefined> => {
  const late = new AbortController()
  const putOff = abortAfter(io, PATIENCE_MS, late)
  try {
    return await withClient(
      io,
      options,
      async (client) => {
        await client.learnTime(clockPath(projectId))
        return client.serviceNow()
      },
      { signal: late.signal, retryUntil: io.now().getTime() + PATIENCE_MS },
    )
  } catch (error) {
    if (!(error instanceof DeploymgmtError)) throw error
    const why =
      late.signal.aborted && error instanceof CancelledError
        ? `it did not answer within ${duration(PATIENCE_MS)}`
        : error.message
    await tell(
      io,
      `Warning: the service's time is not known, so windows that are over may be listed, too: ${why}`,
    )
    return undefined
  } finally {
    putOff()
  }
}
