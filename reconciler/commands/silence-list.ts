import type { RecordedResource } from '@deploymgmt/provider/engine'
import type { Io } from '../io.ts'
import type { SilenceRow } from '../render/reports.ts'
import { readSession } from '../state/index.ts'
import type { CommonOptions } from './options.ts'
import { reporter } from './report.ts'
import { idOf, nameIn, quietOf } from './silence-kind.ts'
import { basisOf } from './silence-state.ts'
import { outsideOf } from './state-meant.ts'
import { tell } from './tell.ts'
import { busyWarnings } from './unknown-outcomes.ts'
import { baseUrlFrom } from './workspace.ts'

/** Lists what is silenced, as it is recorded; sends nothing. */
export const silenceList = async (io: Io, options: CommonOptions): Promise<number> => {
  const report = await reporter(io, options, 'silences')
  const { loaded, at } = await basisOf(io, options)
  const { projectNames } = loaded.declaration
  const { name, ...where } = at
  const expect = { name, baseUrl: await baseUrlFrom(io, options) }
  const session = await readSession({ ...where, expect }, outsideOf(io))
  for (const notice of [...session.notices, ...busyWarnings(session)]) await tell(io, notice)
  const records = new Map(Object.entries(session.state.resources))
  const unknown = new Set(session.unknown.map(({ address }) => address))
  // Of a creation without an answer, what it was to be is known.
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
  const silences = [...records]
    .map(row)
    .filter(({ endDate }) => !isOver(io, endDate))
    .toSorted((a, b) => Date.parse(a.endDate) - Date.parse(b.endDate))
  await report({ document: { formatVersion: 1, silences } }, { names: projectNames })
  return 0
}

const isOver = ({ now }: Io, endDate: string): boolean => Date.parse(endDate) <= now().getTime()
