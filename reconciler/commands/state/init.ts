import { dirname } from 'node:path'
import { asSentence } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { isToldByEvents, oldestEvent, organizationsIn } from '@deploymgmt/provider/engine'
import { sayInstant } from '@deploymgmt/provider/words'
import {
  DEFAULT_MANIFEST,
  loadDeclaration,
  renderFindings,
  type LoadedDeclaration,
} from '../../config/index.ts'
import { ManifestError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { initState } from '../../state/index.ts'
import { makeFolder } from '../service/local.ts'
import { flagsReading } from '../adopt/next.ts'
import { manifestsOf, sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { unreadBelonging } from '../resolve/unread-warnings.ts'
import { tell } from '../output/tell.ts'
import { shownState } from '../resolve/state.ts'
import { systemOf } from '../service/system.ts'
import { withClient } from '../service/with-client.ts'
import { reportDone } from '../output/report-done.ts'
import { completing, stateToOpen } from './change.ts'

export const stateInit = async (io: Io, options: CommonOptions): Promise<number> => {
  const meant = await stateToOpen(io, options)
  if (options.local === true) await makeFolder(dirname(meant.statePath))
  const { lockTimeout } = options
  const { place, notices } = await completing(io, (signal) =>
    initState({ ...meant, command: 'state init', lockTimeout, signal }, systemOf(io)),
  )
  for (const notice of notices) await tell(io, notice)
  const written = `An empty state was written to ${shownState(io, place)}.`
  const loaded = await loadDeclaration({ ...manifestsOf(io, options), offline: true }, kinds).catch(ours)
  // The state does not depend on the rest of the manifest, but a plan does.
  if (loaded instanceof DeploymgmtError) {
    if (loaded instanceof ManifestError)
      await tell(io, renderFindings(loaded.findings, { width: io.stderr.columns }))
    const next = `Next: correct that, then deploymgmt plan${sameFlagsOf(options)}`
    await reportDone(io, options, `${written} ${asSentence(loaded.message)} ${next}`)
    return 0
  }
  await reportDone(io, options, [
    `${written} Next: deploymgmt plan${await flagsForAll(io, options, loaded)}`,
    ...(options.local === true ? [] : await reachOfEvents(io, options, loaded)),
  ])
  return 0
}

const ours = (error: unknown): DeploymgmtError => {
  if (error instanceof DeploymgmtError) return error
  throw error
}

/** The flags that read the named manifests, and those of the folder that belong to them. */
const flagsForAll = async (io: Io, options: CommonOptions, loaded: LoadedDeclaration): Promise<string> => {
  try {
    const unread = await unreadBelonging(io, loaded)
    if (unread.length === 0) return sameFlagsOf(options)
    const named = options.file.length === 0 ? [DEFAULT_MANIFEST] : options.file
    return await flagsReading(io, { ...options, file: [...named, ...unread] }, unread)
  } catch (error) {
    if (!(error instanceof DeploymgmtError)) throw error
    return sameFlagsOf(options)
  }
}

/** Things from before the loss of a state are found only by events. */
const reachOfEvents = async (
  io: Io,
  options: CommonOptions,
  { declaration }: LoadedDeclaration,
): Promise<string[]> => {
  try {
    return await withClient(io, options, (client) =>
      Promise.all(
        organizationsIn(declaration).map(async (org) => sayReach(org, await oldestEvent(client, org))),
      ),
    ).then((said) => said.flat())
  } catch (error) {
    if (!(error instanceof DeploymgmtError)) throw error
    return [`Could not find out how far back events go: ${error.code}: ${error.message}.`]
  }
}

/** Nothing where no event tells of anything that was made. */
const sayReach = (org: string, oldest: string | undefined): string[] =>
  oldest === undefined ? [] : [`Events of organization ${org} go back to ${sayInstant(oldest)}.${TO_DECLARE}`]

/** Things that no list shows are not found once their events have expired. */
const TO_DECLARE = kinds
  .filter(isToldByEvents)
  .map(
    ({ title, identity }) =>
      ` A ${title.toLowerCase()} that this key created before that cannot be found: declare it by its ${identity.declaredAs}, or it is created a second time.`,
  )
  .join('')
