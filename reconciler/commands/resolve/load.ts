import type { Client } from '@deploymgmt/provider/api'
import { kinds } from '@deploymgmt/provider/kinds'
import type { Records } from '@deploymgmt/provider/engine'
import { SettingMissingError } from '@deploymgmt/provider/errors'
import { loadDeclaration, listFindings, type Head, type LoadedDeclaration } from '../../config/index.ts'
import { ManifestError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { readSession, type ReadSession, type Stated } from '../../state/index.ts'
import { systemOf } from '../service/system.ts'
import { withClient } from '../service/with-client.ts'
import { manifestsOf, type CommonOptions, type ManifestOptions } from '../line/options.ts'
import { tell } from '../output/tell.ts'
import { dataReader } from './data-reader.ts'
import { refuseNamesUnread } from './names-unread.ts'
import { recordedIn } from './recorded.ts'
import { isOfSelector } from './selector-words.ts'
import { resolveState } from './state.ts'

/** A state that a command has opened. */
interface Opened {
  readonly state: { readonly resources: Records; readonly projects?: Readonly<Record<string, string>> }
  readonly closeFailed?: () => Promise<void>
}

/** The service that the manifests are about. */
interface Service {
  readonly client: Client
  readonly baseUrl: string
}

interface Opening<S> {
  readonly open: (stated: Stated) => Promise<S>
  /** Whether the command sends or records the projects that the manifests name. */
  readonly sendsPlaces?: boolean
}

/**
 * Loads the manifests and their state. The manifests say which state to open, which is recovered before references
 * use it and before data sources are read, so that all are of the same moment; otherwise it is opened after these.
 */
export const loadWithState = async <S extends Opened>(
  io: Io,
  options: ManifestOptions & Pick<CommonOptions, 'state' | 'local' | 'quiet'>,
  { client, baseUrl }: Service,
  { open, sendsPlaces = true }: Opening<S>,
): Promise<{ loaded: LoadedDeclaration; session: S }> => {
  const { opened, closeFailed } = openedOnce(async (head) => {
    const { name, ...where } = await resolveState(io, options, head)
    return open({ ...where, expect: { name, baseUrl } })
  })
  try {
    const loaded = await loadDeclaration(
      {
        ...manifestsOf(io, options),
        rehearsal: options.local === true,
        readData: dataReader(client),
        recordedIn: async (head) => recordedIn((await opened(head)).state.resources),
      },
      kinds,
    )
    await tellNoManifests(io, loaded, options)
    const session = await opened(loaded.head)
    if (sendsPlaces) await refuseNamesUnread(io, options, loaded, session.state.projects)
    const warnings = loaded.warnings.filter((each) => each.severity === 'warning' && !isOfSelector(each))
    if (warnings.length > 0) await tell(io, listFindings(warnings))
    return { loaded, session }
  } catch (error) {
    await closeFailed()
    throw withoutWords(error)
  }
}

/** The same for a command that only reads. */
export const loadToRead = (
  io: Io,
  options: Parameters<typeof loadWithState>[1],
  service: Service,
  more: Pick<Opening<ReadSession>, 'sendsPlaces'> = {},
): Promise<{ loaded: LoadedDeclaration; session: ReadSession }> =>
  loadWithState(io, options, service, { open: (stated) => readSession(stated, systemOf(io)), ...more })

/** Nothing was read that could tell whether a word of a selector is misspelt; `validate` lists them. */
const withoutWords = (error: unknown): unknown =>
  error instanceof ManifestError ? error.without(isOfSelector) : error

/** Opens the state of the manifests when it is first needed, and gives it back if the command then fails. */
const openedOnce = <S extends Opened>(open: (head: Head | undefined) => Promise<S>) => {
  let session: S | undefined
  return {
    opened: async (head: Head | undefined): Promise<S> => (session ??= await open(head)),
    closeFailed: async (): Promise<void> => session?.closeFailed?.(),
  }
}

/**
 * Runs a command that reads its manifests with a client. If the environment does not name the service, mistakes in
 * the manifests are reported first, because these need no service.
 * @throws ManifestError, or the original error
 */
export const withClientToLoad: typeof withClient = (io, options, ...rest) =>
  withClient(io, options, ...rest).catch(orWrongManifest(io, options))

const orWrongManifest =
  (io: Io, options: ManifestOptions) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof SettingMissingError)) throw error
    try {
      await loadDeclaration({ ...manifestsOf(io, options), offline: true }, kinds)
    } catch (wrong) {
      throw withoutWords(wrong)
    }
    throw error
  }

/** Says which files of a folder are not treated as manifests, so that none is silently left out. */
export const tellNoManifests = async (
  io: Io,
  { noManifests }: Pick<LoadedDeclaration, 'noManifests'>,
  { quiet = false }: Pick<CommonOptions, 'quiet'>,
): Promise<void> => {
  if (noManifests.length > 0 && !quiet)
    await tell(io, `Left out, because they are not manifests: ${noManifests.join(', ')}`)
}
