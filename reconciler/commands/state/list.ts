import { kinds } from '@deploymgmt/provider/kinds'
import { keyOf } from '@deploymgmt/provider/engine'
import { canStillHappen } from '../../apply/intent-forms.ts'
import type { Io } from '../../io.ts'
import type { StateRow } from '../../render/document/reports.ts'
import type { CommonOptions } from '../line/options.ts'
import { projectNamesKnown } from '../resolve/address.ts'
import { reporter } from '../output/report.ts'
import { readShown } from './shown.ts'

export const stateList = async (io: Io, options: CommonOptions): Promise<number> => {
  const report = await reporter(io, options, 'records')
  const session = await readShown(io, options)
  const names = new Map(await projectNamesKnown(io, options, session.state))
  const unknown = new Map(session.unknown.map((intent) => [intent.address, intent]))
  const recorded = Object.entries(session.state.resources).map(([address, record]): StateRow => ({
    address,
    kind: record.kind,
    id: keyOf(kinds, record) ?? null,
    status: unknown.has(address) ? 'unknown' : 'recorded',
  }))
  const open = [...unknown.values()]
    .filter(({ address }) => session.state.resources[address] === undefined)
    .map(({ address, kind }): StateRow => ({ address, kind, id: null, status: 'unknown' }))
  const rows = [...recorded, ...open].toSorted((a, b) => (a.address < b.address ? -1 : 1))
  const lines = rows.map((row) => {
    const intent = unknown.get(row.address)
    const { identity } = session.state.resources[row.address] ?? intent?.detail.expected ?? {}
    return {
      ...row,
      projectId: identity?.['projectId'],
      wasCreation: intent?.method === 'POST',
      isUnderWay: intent !== undefined && session.busy !== undefined,
      until: intent && canStillHappen(intent, io.now()),
    }
  })
  await report({ document: rows, lines }, { names })
  return 0
}
