import type { KindDefinition } from '@deploymgmt/provider/core'
import { evaluated } from './declare.ts'
import type { ReferenceContext } from './evaluation/references.ts'
import type { LoadOptions } from './loaded-declaration.ts'
import type { Checked } from './manifest/checked.ts'
import { waitingData } from './manifest/data.ts'
import { projectsOf } from './manifest/projects.ts'
import { readManifests } from './reading.ts'
import { Report } from './tree/report.ts'
import { pairOf } from './tree/node.ts'

/** Evaluates a manifest without a state and without data sources: what refers to these stays open. */
const evaluatedWithoutState = (context: Omit<ReferenceContext, 'recorded' | 'data' | 'later'>): Checked =>
  evaluated({ ...context, recorded: () => undefined, data: waitingData(new Map()), later: 'passed-over' })

/** The names that a manifest gives to its projects. */
export interface NamedProjects {
  /** All names, including those whose id is unknown. */
  readonly names: ReadonlySet<string>
  readonly ids: ReadonlyMap<string, string>
  /** By name. */
  readonly orgIds: ReadonlyMap<string, string>
}

/**
 * The names of projects in a manifest, even if other parts are wrong or unresolved; undefined if they cannot be
 * determined.
 */
export const loadProjects = async (
  options: LoadOptions,
  kinds: readonly KindDefinition[],
): Promise<NamedProjects | undefined> => {
  const { loaded, root, given, report, key } = await readManifests(options, kinds)
  if (root === undefined || !loaded.complete || report.hasErrorIn(['projects'])) return undefined
  const said = new Report(key.value)
  const checked = evaluatedWithoutState({ root, kinds, given, complete: true, report: said })
  const { names, organizations } = projectsOf(checked)
  if (said.hasErrorIn(['projects'])) return undefined
  const declared = pairOf(root, 'projects')?.value
  return {
    names: new Set(declared?.is === 'map' ? declared.pairs.keys() : []),
    ids: new Map([...names].map(([id, name]) => [name, id])),
    orgIds: new Map(
      [...names].flatMap(([id, name]) =>
        organizations.has(id) ? [[name, organizations.get(id) ?? '']] : [],
      ),
    ),
  }
}

/**
 * Every file from which a declaration is read, absolute: manifests, including those in folders, and the files of
 * their secrets, as far as can be determined offline.
 * @throws ManifestNotFoundError, ManifestUnsupportedError, VariableError
 */
export const filesReadBy = async (
  options: LoadOptions,
  kinds: readonly KindDefinition[],
): Promise<string[]> => {
  const { loaded, root, given, report } = await readManifests(options, kinds)
  if (root === undefined) return [...loaded.paths]
  const { value } = evaluatedWithoutState({ root, kinds, given, complete: false, report })
  const entries = kinds.flatMap(({ section, fields }) => {
    const secrets = Object.keys(fields).filter((name) => fields[name]?.type.is === 'secret')
    const declared = Object.values((value as Record<string, object | null>)[section] ?? {})
    return declared.flatMap((entry: unknown) => secrets.map((name) => fieldOf(entry, name)))
  })
  const named = entries
    .map((reference) => fieldOf(reference, 'file'))
    .filter((file) => typeof file === 'string')
  return [...loaded.paths, ...named]
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
