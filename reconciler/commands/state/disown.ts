import { kinds } from '@deploymgmt/provider/kinds'
import {
  isToldByEvents,
  keyOf,
  strangersNow,
  type Declaration,
  type Effect,
  type Made,
} from '@deploymgmt/provider/engine'
import { AddressError, UsageError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { sayMoment } from '../../text/instants.ts'
import type { Session } from '../../state/index.ts'
import { knownThingsOf } from '../run/known-things.ts'
import type { CommonOptions } from '../line/options.ts'
import { changeDeclared } from './change.ts'
import { refuseWhileUnknown } from './refuse-while-unknown.ts'

interface DisownOptions extends CommonOptions {
  /** Not named `all`, which is a flag of other commands and of reports. */
  readonly everything?: boolean
}

/**
 * Disowns things that the key created, according to events: they do not belong to this manifest. Only reads from the
 * service.
 */
export const stateDisown = (io: Io, options: DisownOptions, ids: readonly string[]): Promise<number> => {
  if (ids.length === 0 && options.everything !== true)
    throw new UsageError('no id is given', { hint: 'Name ids, or all at once with --everything.' })
  return changeDeclared(io, options, 'state disown', async (session, { client, loaded }) => {
    refuseWhileCreating(session, { io, options })
    const { own, perhaps } = await strangersNow(client, {
      definitions: kinds,
      declaration: loaded.declaration,
      records: session.state.resources,
      knownThings: knownThingsOf(io, options, loaded, session),
    })
    const found = [...own, ...perhaps]
    const here = found.filter(isNamedBy(loaded.declaration))
    const meant = options.everything === true ? here : ids.map((id) => strangerOf(id, found))
    await session.effects(meant.map((made): Effect => ({ op: 'disown', ...made })))
    const left = options.everything === true ? found.length - here.length : 0
    const said = [...meant.map(saying), ...(left > 0 ? [sayLeft(left)] : [])]
    return said.length === 0 ? 'There is nothing unrecorded that this key made.' : said
  })
}

/** A thing in a project that no manifest names stops nothing until one names it, so it is not disowned. */
const isNamedBy = ({ projectNames, entries }: Declaration): ((made: Made) => boolean) => {
  const projects = new Set([...projectNames.keys(), ...entries.map(({ values }) => values['projectId'])])
  return ({ identity: { projectId } }) => projectId === undefined || projects.has(projectId)
}

const sayLeft = (count: number): string =>
  `${count} more that this key made ${count === 1 ? 'is' : 'are'} in projects that the manifest does not name: ${count === 1 ? 'it was' : 'they were'} left alone.`

/** The result of a lost creation could be among them. */
const refuseWhileCreating = (
  session: Session,
  about: { readonly io: Io; readonly options: CommonOptions },
): void => {
  const told = new Set(kinds.filter(isToldByEvents).map(({ kind }) => kind))
  const open = session.unknown.filter(({ kind, method }) => method === 'POST' && told.has(kind))
  refuseWhileUnknown(
    session,
    about,
    open.map(({ address }) => address),
  )
}

const strangerOf = (id: string, found: readonly Made[]): Made => {
  const made = found.find((each) => keyOf(kinds, each) === id)
  if (made !== undefined) return made
  throw new AddressError(`no event says that this key made ${id}, or it is already recorded or over`, {
    hint: 'deploymgmt plan names what blocks creations.',
  })
}

const saying = (made: Made): string =>
  `${keyOf(kinds, made)}, made at ${sayMoment(made.at)}, does not belong to this manifest and no longer blocks creations. Nothing was sent.`
