import type { KindDefinition } from '@deploymgmt/provider/core'
import type { DeploymgmtError } from '@deploymgmt/provider/errors'
import { ManifestError } from '../errors/manifest-error.ts'
import { isSome, together, type WordsError } from '../errors/together.ts'
import { nameOf, unreadAt } from './files/unread.ts'
import type { Checked } from './manifest/checked.ts'
import { Evaluator } from './evaluation/evaluate.ts'
import { explainedIn } from './evaluation/explained.ts'
import { gatesOf } from './manifest/gates.ts'
import { headIn, refuseOpenHead, stateNamed } from './head.ts'
import type { KeptTree } from './tree/kept-tree.ts'
import type { Loaded, OwnKey } from './files/load.ts'
import type { Head, LoadedDeclaration, LoadOptions, StateNamed } from './loaded-declaration.ts'
import { locate, nodeAt, type MapNode } from './tree/node.ts'
import { patchesOf, fieldPositionsIn } from './patches/patch.ts'
import { readManifests, readWhatIsThere } from './reading.ts'
import { lookupsIn, type Recorded, type ReferenceContext } from './evaluation/references.ts'
import { Report } from './tree/report.ts'
import { declare } from './declare.ts'
import type { Translated } from './terraform-json/index.ts'
import { asDeclared, givenValue } from './evaluation/variables.ts'

const NOTHING: Recorded = () => undefined

/**
 * Loads manifests, checks everything that needs no service, and resolves every reference.
 * @throws ManifestError with all findings at once
 * @throws ManifestNotFoundError, ManifestUnsupportedError, VariableError
 */
export const loadDeclaration = async (
  options: LoadOptions,
  kinds: readonly KindDefinition[],
): Promise<LoadedDeclaration> => {
  const found = await readWhatIsThere(options, kinds)
  const { loaded, translated, given, onLine, root, kept, report, key } = found
  if (root === undefined || kept === undefined) throw refusal(report, found.wrong)
  // Parts that the translation has refused are missing in its manifest; that is no further error.
  const complete = loaded.complete && (translated === undefined || report.errors === 0)
  const variables = complete ? asDeclared(given, root) : { given, wrong: new Map<string, never>() }
  const wrong = [...found.wrong, ...variables.wrong.values()]
  if (wrong.length > 0) {
    const givenWrong = new Set([...found.wrongVars.keys(), ...variables.wrong.keys()])
    const context = { kinds, given: variables.given, givenWrong, recorded: NOTHING, complete, root, report }
    await checkOffline(context, translated, options)
    throw refusal(report, wrong)
  }
  const head = headIn({ root, given, loaded, translated }, kinds)
  const { paths, sources, noManifests } = loaded
  const files = { paths, sources, noManifests }
  const once = { options, kinds, given, onLine, translated, kept, files, complete, head, key }
  const { recordedIn } = options
  if (head === undefined || recordedIn === undefined) return declaredWith(once, root, NOTHING, report)
  // Data sources must be read at the moment of the state, whose lock a command may wait for.
  return (translated?.data.size ?? 0) > 0
    ? declaredWith(once, root, await recordedIn(head), report)
    : declaredAsAsked(once, root, () => recordedIn(head), report)
}

/** Checks a declaration that is not used. */
const checkOffline = async (
  context: Omit<ReferenceContext, 'data' | 'later'>,
  translated: Translated | undefined,
  options: LoadOptions,
): Promise<void> => {
  const { readData: _, ...offline } = { ...options, offline: true }
  await declare({ ...context, later: laterIn(offline) }, translated, offline)
}

/** Errors in the words of the command, and in what could be read nevertheless. */
const refusal = (report: Report, wrong: readonly WordsError[]): DeploymgmtError => {
  const besides = isSome(wrong) ? together(wrong) : undefined
  return besides === undefined || report.errors > 0 ? new ManifestError(report.findings(), besides) : besides
}

/**
 * Loads records only if a reference needs them, which is rare. With many things, state and tree are then never in
 * memory together.
 */
const declaredAsAsked = async (
  once: ReadOnce,
  root: MapNode,
  lookUp: () => Promise<Recorded>,
  said: Report,
): Promise<LoadedDeclaration> => {
  const asRead = said.copy()
  try {
    return await declaredWith(once, root, asking, said)
  } catch (error) {
    if (error !== ASKED) throw error
    return declaredWith(once, root, await lookUp(), asRead)
  }
}

const ASKED = new Error('something refers to what is recorded')
/**
 * Ends the first pass: references are resolved before anything is checked, so little work is lost. The declaration
 * keeps this function and everything in its scope, so the scope is empty.
 */
const asking: Recorded = () => {
  throw ASKED
}

/** The loaded files without their tree, which a declaration must not keep in memory. */
interface ReadOnce {
  readonly options: LoadOptions
  readonly kinds: readonly KindDefinition[]
  readonly given: ReadonlyMap<string, string>
  readonly onLine: ReadonlyMap<string, string>
  readonly translated: Translated | undefined
  readonly kept: KeptTree
  readonly files: Pick<Loaded, 'paths' | 'sources' | 'noManifests'>
  readonly complete: boolean
  readonly head: Head | undefined
  readonly key: OwnKey
}

const declaredWith = async (
  once: ReadOnce,
  root: MapNode,
  recorded: Recorded,
  said: Report,
): Promise<LoadedDeclaration> => {
  const { options, kinds, given, translated, files, complete, head } = once
  const context = { kinds, given, recorded, later: laterIn(options), complete }
  const { checked, declaration, ignored, data } = await declare(
    { ...context, root, report: said },
    translated,
    options,
  )
  if (declaration !== undefined && head === undefined) refuseOpenHead(root, said)
  const warnings = said.findings()
  if (declaration === undefined || head === undefined) throw new ManifestError(warnings)
  const names = declaration.projectNames
  const ownNames = new Set([head.name, nameOf(root)])
  return {
    head,
    otherStates: otherStatesIn(checked),
    gates: gatesOf(checked, { names }),
    ignored,
    declaration,
    warnings,
    noManifests: files.noManifests,
    sources: files.sources,
    paths: translated === undefined ? files.paths : [],
    variables: variablesOf(checked, given),
    ...askedLater(once, { ...context, data }, { names, ownNames }),
  }
}

interface Named {
  /** Names of projects, by id. */
  readonly names: ReadonlyMap<string, string>
  /** The name of the manifest: as evaluated, and as written. */
  readonly ownNames: ReadonlySet<string | undefined>
}

/** The functions of a declaration. They are made where no variable holds the tree, which they would keep in memory. */
const askedLater = (
  once: ReadOnce,
  context: Omit<ReferenceContext, 'root' | 'report'>,
  { names, ownNames }: Named,
): Pick<LoadedDeclaration, 'reevaluate' | 'explain' | 'unreadAt' | 'patchOf' | 'saidAt'> => {
  const { kinds, onLine, translated, kept, files, key } = once
  return {
    reevaluate: (then) => declaredWith(once, kept.root(), then, new Report(key.value)),
    explain: (address, projectId) => {
      const again = { ...context, root: kept.root(), report: new Report(key.value) }
      const { valueAt } = new Evaluator(again.report, lookupsIn(again))
      return explainedIn({ ...again, onLine, valueAt, names }, address, projectId)
    },
    unreadAt: async (places, named) =>
      unreadAt(
        translated === undefined ? places : [],
        { paths: files.paths, names: named === 'own' ? ownNames : undefined, key },
        kinds,
      ),
    // A program would overwrite a patched file.
    patchOf: translated === undefined ? patchesOf(() => kept.root()) : () => undefined,
    saidAt: translated === undefined ? fieldPositionsIn(() => kept.root()) : () => undefined,
  }
}

/**
 * The head of a declaration, which identifies its state, even if other parts are wrong or unresolved.
 * @throws what `loadDeclaration` throws, if the head cannot be determined
 */
export const loadHead = async (options: LoadOptions, kinds: readonly KindDefinition[]): Promise<Head> => {
  const { root, ...found } = await readManifests(options, kinds)
  const head = root && headIn({ root, ...found }, kinds)
  return head ?? (await loadDeclaration({ ...options, offline: true }, kinds)).head
}

/** Without a state, references to records are only noted, and only if there is a judge. */
const laterIn = ({ offline, judge }: LoadOptions): ReferenceContext['later'] => {
  if (offline !== true) return 'refused'
  return judge === undefined ? 'passed-over' : 'noted'
}

const otherStatesIn = ({ value, root }: Checked): StateNamed[] => {
  const { otherStates = [] } = value as { otherStates?: readonly string[] }
  return otherStates.map((text, index) => stateNamed(text, locate(root, ['otherStates', index]).node))
}

const variablesOf = (
  { value, root }: Checked,
  given: ReadonlyMap<string, string>,
): Record<string, unknown> => {
  const declared = (value as { variables?: Record<string, { default?: unknown } | null> }).variables ?? {}
  return Object.fromEntries(
    Object.entries(declared).map(([name, variable]) => {
      const node = nodeAt(root, 'variables', name, 'default')
      const text = given.get(name)
      return [name, text === undefined ? variable?.default : givenValue(name, text, node).value]
    }),
  )
}
