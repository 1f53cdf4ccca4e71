import type { KindDefinition } from '@deploymgmt/provider/core'
import { ManifestError } from '../errors/manifest-error.ts'
import { declaredBeside } from './beside.ts'
import type { Checked } from './checked.ts'
import { waitingData } from './data.ts'
import { explainedIn } from './explained.ts'
import { gatesOf } from './gates.ts'
import { headIn, refuseOpenHead } from './head.ts'
import type { Head, LoadedDeclaration, LoadOptions, StateNamed } from './loaded-declaration.ts'
import { pairOf } from './node.ts'
import { patchesOf } from './patch.ts'
import { projectsOf } from './projects.ts'
import { read } from './reading.ts'
import type { Recorded, Surroundings } from './references.ts'
import { Report } from './report.ts'
import { declare, evaluated } from './declare.ts'
import { givenValue, refuseUndeclared } from './variables.ts'

const NOTHING: Recorded = () => undefined

/**
 * Loads manifests, checks everything about them that needs no service, and resolves every reference.
 * @throws ManifestError with all findings at once.
 * @throws ManifestNotFoundError, ManifestUnsupportedError, VariableError
 */
export const loadDeclaration = async (
  options: LoadOptions,
  kinds: readonly KindDefinition[],
): Promise<LoadedDeclaration> => {
  const later = laterIn(options)
  const { loaded, translated, given, root, report, key } = await read(options, kinds)
  if (root === undefined) throw new ManifestError(report.findings())
  // What a translation has refused is missing in its manifest, and no error there.
  const complete = loaded.complete && (translated === undefined || report.errors === 0)
  if (complete) refuseUndeclared(given, root)
  const found = { root, given, loaded, translated }
  const head = headIn(found, kinds)
  const recorded =
    head === undefined || options.recordedIn === undefined ? NOTHING : await options.recordedIn(head)
  const loadWith = async (known: Recorded, said: Report): Promise<LoadedDeclaration> => {
    const around = { root, kinds, given, recorded: known, later, complete, report: said }
    const { checked, declaration, ignored } = await declare(around, translated, options)
    if (declaration !== undefined && head === undefined) refuseOpenHead(root, said)
    const warnings = said.findings()
    if (declaration === undefined || head === undefined) throw new ManifestError(warnings)
    const variables = variablesOf(checked, given)
    return {
      head,
      otherStates: otherStatesIn(checked),
      gates: gatesOf(checked, { names: declaration.projectNames }),
      ignored,
      declaration,
      warnings,
      leftOut: loaded.leftOut,
      sources: loaded.sources,
      variables,
      reevaluate: (then) => loadWith(then, new Report(key.value)),
      explain: (address, projectId) =>
        explainedIn(
          { root, kinds, given, valueAt: checked.evaluator.valueAt, names: declaration.projectNames },
          address,
          projectId,
        ),
      declaredBeside: async (folder) =>
        translated === undefined
          ? declaredBeside(folder, { root, loaded, key, name: head.name }, kinds)
          : new Map(),
      // What a program wrote, it would write again.
      patchOf: translated === undefined ? patchesOf(root) : () => undefined,
    }
  }
  return loadWith(recorded, report)
}

/**
 * By what a state is known, whatever else is wrong with a declaration or left open.
 * @throws what `loadDeclaration` throws, where it cannot be told.
 */
export const loadHead = async (options: LoadOptions, kinds: readonly KindDefinition[]): Promise<Head> => {
  const { root, ...found } = await read(options, kinds)
  const head = root && headIn({ root, ...found }, kinds)
  return head ?? (await loadDeclaration({ ...options, offline: true }, kinds)).head
}

/** What a manifest calls its projects. */
export interface NamedProjects {
  /** All names, also of those whose id is not known. */
  readonly names: ReadonlySet<string>
  readonly ids: ReadonlyMap<string, string>
  /** By name. */
  readonly orgIds: ReadonlyMap<string, string>
}

/** What a manifest calls projects, whatever else is wrong with it or left open; nothing where that cannot be told. */
export const loadProjects = async (
  options: LoadOptions,
  kinds: readonly KindDefinition[],
): Promise<NamedProjects | undefined> => {
  const { loaded, root, given, report, key } = await read(options, kinds)
  if (root === undefined || !loaded.complete || report.hasErrorIn(['projects'])) return undefined
  const [recorded, data, said] = [NOTHING, waitingData(new Map()), new Report(key.value)]
  const later = 'passed-over' as const
  const checked = evaluated({ root, kinds, given, recorded, data, later, complete: true, report: said })
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
 * Every file that a declaration is read from, absolute: manifests, those within folders too, and the files of
 * secrets that they refer to, as far as all of it can be told offline.
 * @throws ManifestNotFoundError, ManifestUnsupportedError, VariableError
 */
export const filesReadBy = async (
  options: LoadOptions,
  kinds: readonly KindDefinition[],
): Promise<string[]> => {
  const { loaded, root, given, report } = await read(options, kinds)
  if (root === undefined) return [...loaded.paths]
  const [recorded, data] = [NOTHING, waitingData(new Map())]
  const around = {
    root,
    kinds,
    given,
    recorded,
    data,
    later: 'passed-over' as const,
    complete: false,
    report,
  }
  const { value } = evaluated(around)
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

/** Without a state, what only a record can tell is looked at only by who judges it. */
const laterIn = ({ offline, judge }: LoadOptions): Surroundings['later'] => {
  if (offline !== true) return 'refused'
  return judge === undefined ? 'passed-over' : 'noted'
}

const otherStatesIn = ({ value, root }: Checked): StateNamed[] => {
  const { otherStates = [] } = value as { otherStates?: readonly string[] }
  const path = pairOf(root, 'otherStates')?.value.source.path ?? ''
  return otherStates.map((text) => ({ text, path }))
}

const variablesOf = (
  { value, root }: Checked,
  given: ReadonlyMap<string, string>,
): Record<string, unknown> => {
  const declared = (value as { variables?: Record<string, { default?: unknown } | null> }).variables ?? {}
  return Object.fromEntries(
    Object.entries(declared).map(([name, variable]) => {
      const node = pairOf(pairOf(pairOf(root, 'variables')?.value, name)?.value, 'default')?.value
      const text = given.get(name)
      return [name, text === undefined ? variable?.default : givenValue(name, text, node).value]
    }),
  )
}
