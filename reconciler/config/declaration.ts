import { normalizeBaseUrl, type Environment } from '@deploymgmt/provider/api'
import { manifestParts, type KindDefinition } from '@deploymgmt/provider/core'
import type { Declaration, Entry } from '@deploymgmt/provider/engine'
import { ManifestError } from '../errors/manifest-error.ts'
import { ManifestUnsupportedError } from '../errors/manifest-unsupported-error.ts'
import type { Checked } from './checked.ts'
import { checkContent } from './content.ts'
import { entriesOf } from './entries.ts'
import { checkData, readData, waitingData, type ReadData } from './data.ts'
import { explainedIn, type Explained } from './explained.ts'
import { Evaluator } from './evaluate.ts'
import type { ManifestFinding } from '../errors/finding.ts'
import { refuseLaterOutside } from './waiting-fields.ts'
import { gatesOf, type ProjectGate } from './gates.ts'
import { ignoredIn, type Ignored } from './ignored.ts'
import { load, ownKey, type Loaded } from './load.ts'
import { merge } from './merge.ts'
import { quoted } from '../text/display.ts'
import { pairOf, type MapNode } from './node.ts'
import { withOrganization } from './organization.ts'
import { patchesOf, type Wanted } from './patch.ts'
import { withProjectIds } from './project-names.ts'
import { projectsOf, type Projects } from './projects.ts'
import { lookupsIn, type DataLookup, type Recorded, type Surroundings } from './references.ts'
import { Report } from './report.ts'
import { checkRules } from './rules.ts'
import { refuseBoth } from './scopes.ts'
import { hideSecrets } from './secrets.ts'
import type { DataBlock, ProviderValue, Translated } from './terraform-json/index.ts'
import { isTerraform } from './terraform-json/nodes.ts'
import { loadVariables, withVariables } from './variable-files.ts'
import { checkVariables, givenValue, givenVariables, refuseUndeclared } from './variables.ts'

export interface LoadOptions {
  /** What `--file` names: files and folders; `deploymgmt.yaml` where it is empty. */
  readonly files: readonly string[]
  /** `NAME=VALUE`, as `--var` gives them. */
  readonly vars?: readonly string[]
  /** What `--var-file` names; what a later one says counts. */
  readonly varFiles?: readonly string[]
  /** What is recorded in the state of a declaration; not called when it cannot be told which one that is. */
  readonly recordedIn?: (head: Head) => Promise<Recorded>
  readonly cwd?: string
  /** Reads the data sources that a Terraform configuration refers to; without it such references stay open. */
  readonly readData?: ReadData
  /** Without a state: what only a record can tell is left as it is written. */
  readonly offline?: boolean
  /** For a Terraform configuration: values of variables (TF_VAR_NAME), and the service that it has to mean. */
  readonly env?: Environment
  /** No real service is meant. */
  readonly rehearsal?: boolean
}

/** What tells which state belongs to a declaration. */
export interface Head {
  readonly name: string
  /** What it says under `state`, and the file that says so, absolute. */
  readonly state: StateNamed | undefined
  /** The first of its files, absolute; none where it was synthesized, into a folder that is made anew each time. */
  readonly path: string | undefined
}

/** An address of a state, and the file that names it, absolute. */
export interface StateNamed {
  readonly text: string
  readonly path: string
  /** Nobody has named it as one that is there. */
  readonly mayBeMissing?: boolean
}

export interface LoadedDeclaration {
  readonly head: Head
  /** States of other manifests that use the same key. */
  readonly otherStates: readonly StateNamed[]
  /** What has to hold in projects before anything of them is changed. */
  readonly gates: readonly ProjectGate[]
  /** What is known among what nobody declares. */
  readonly ignored: readonly Ignored[]
  readonly declaration: Declaration
  readonly warnings: readonly ManifestFinding[]
  readonly sources: readonly { readonly file: string; readonly sha256: string }[]
  /** Every declared variable with the value that counted. */
  readonly variables: Readonly<Record<string, unknown>>
  /** The same files as they were read, evaluated with what is recorded by then. @throws ManifestError */
  readonly reevaluate: (recorded: Recorded) => Promise<LoadedDeclaration>
  /** Where the values of an entry come from; nothing where there is no such entry. */
  readonly explain: (address: string) => Explained | undefined
  /** The change of the files that makes an entry say this, as a unified diff; nothing where none can be made safely. */
  readonly patchOf: (wanted: Wanted) => string | undefined
}

/**
 * Loads manifests, checks everything about them that needs no service, and resolves every reference.
 * @throws ManifestError with all findings at once.
 * @throws ManifestNotFoundError, ManifestUnsupportedError, VariableError
 */
export const loadDeclaration = async (
  options: LoadOptions,
  kinds: readonly KindDefinition[],
): Promise<LoadedDeclaration> => {
  const { offline = false } = options
  const { loaded, translated, given, root, report, key } = await read(options, kinds)
  if (root === undefined) throw new ManifestError(report.findings())
  // What a translation has refused is missing in its manifest, and no error there.
  const complete = loaded.complete && (translated === undefined || report.errors === 0)
  if (complete) refuseUndeclared(given, root)
  const found = { root, given, loaded, translated }
  const head = headIn(found, kinds)
  const recorded =
    head === undefined || options.recordedIn === undefined ? NOTHING : await options.recordedIn(head)
  const declare = async (known: Recorded, said: Report): Promise<LoadedDeclaration> => {
    const around = { root, kinds, given, recorded: known, offline, complete, report: said }
    const { checked, declaration, ignored } = await settled(around, translated, options)
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
      sources: loaded.sources,
      variables,
      reevaluate: (later) => declare(later, new Report(key.value)),
      explain: (address) => explainedIn({ root, kinds, given }, address),
      // What a program wrote, it would write again.
      patchOf: translated === undefined ? patchesOf(root) : () => undefined,
    }
  }
  return declare(recorded, report)
}

/** The files as one tree, whatever they are written in. */
const read = async (
  { files, vars = [], varFiles = [], cwd = process.cwd(), env = {} }: LoadOptions,
  kinds: readonly KindDefinition[],
) => {
  const key = await ownKey(env)
  const report = new Report(key.value)
  const loaded = await load(files, { cwd, key }, report)
  const own = givenVariables(vars)
  const translated = await translatedFrom(loaded, { given: own, env, kinds, report })
  const layers = translated === undefined ? loaded.layers : [[translated.root]]
  const parts = manifestParts(kinds)
  // Also what another file overrides, for an excerpt can show it.
  for (const document of layers.flat()) hideSecrets(document, parts)
  const merged = merge(layers, parts, { complete: loaded.complete, report })
  const told = await loadVariables(varFiles, { cwd, key }, report)
  if (translated !== undefined && told.sources[0] !== undefined) refuseBesideTerraform(told.sources[0])
  const root = merged && withVariables(merged, told.documents, { complete: loaded.complete, report })
  const all = {
    ...loaded,
    sources: [...loaded.sources, ...told.sources],
    paths: [...loaded.paths, ...told.paths],
    complete: loaded.complete && told.complete,
  }
  return { loaded: all, translated, given: translated?.given ?? own, root, report, key }
}

const refuseBesideTerraform = ({ file }: { readonly file: string }): never => {
  throw new ManifestUnsupportedError(
    `${file} is a file of variables, which a Terraform configuration in JSON does not take here`,
    { where: file, hint: 'Give them with --var NAME=VALUE, or as TF_VAR_NAME in the environment.' },
  )
}

/** Everything that can be known to be wrong is said before a data source is read. */
const settled = async (
  around: Omit<Surroundings, 'data'>,
  translated: Translated | undefined,
  { env = {}, rehearsal = false, readData: told }: LoadOptions,
) => {
  const settle = (data: DataLookup) => {
    const checked = evaluated({ ...around, data })
    checkVariables(around.root, around.given, around.report)
    return { checked, ...declarationIn(checked, translated, rehearsal ? {} : env) }
  }
  const blocks = translated?.data ?? new Map<string, DataBlock>()
  checkData(blocks, around)
  const first = settle(waitingData(blocks))
  return first.declaration === undefined ||
    ![...blocks.values()].some(({ isUsed }) => isUsed) ||
    told === undefined
    ? first
    : settle(await readData(blocks, around, told))
}

/** Checks what has been evaluated, and answers the declaration if nothing is wrong with it. */
const declarationIn = (
  checked: Checked,
  translated: Translated | undefined,
  env: Environment,
): { readonly declaration: Declaration | undefined; readonly ignored: readonly Ignored[] } => {
  checkContent(checked)
  refuseLaterOutside(checked, checked.root.pairs)
  const ignored = ignoredIn(checked)
  refuseBoth(checked, pairOf(checked.root, 'defaults')?.value, ['defaults'])
  const projects = projectsOf(checked)
  gatesOf(checked, projects)
  const placed = entriesOf(checked)
  checkRules(placed, checked)
  const orgId = translated === undefined ? undefined : organizationOf(translated, checked, env)
  const entries = placed.map(({ entry }) => withAllowed(entry, translated))
  const isSound = checked.report.errors === 0
  return { declaration: isSound ? declarationOf(checked, entries, projects, orgId) : undefined, ignored }
}

type Given = Pick<Surroundings, 'given' | 'kinds' | 'report'>

/** The manifest that stands for a Terraform configuration in JSON; nothing where none was named. */
const translatedFrom = async (
  { layers }: Loaded,
  given: Given & { env: Environment },
): Promise<Translated | undefined> => {
  const documents = layers.flat()
  const document = documents.find(isTerraform)
  if (document === undefined) return undefined
  if (documents.length > 1)
    throw new ManifestUnsupportedError(
      `${document.source.file} is a Terraform configuration in JSON, and there are other files beside it`,
      { where: document.source.file },
    )
  const { dataSources } = await import('@deploymgmt/provider/data-sources')
  const { translate } = await import('./terraform-json/index.ts')
  hideSecrets(document, manifestParts(given.kinds))
  return translate(document, { ...given, dataSources })
}

/**
 * The organization that the provider's block names for events. What it says of the service has to be what the
 * environment says: credentials come from there.
 */
const organizationOf = ({ provider }: Translated, checked: Checked, env: Environment): string | undefined => {
  const { evaluator, report } = checked
  const textAt = ({ node, path }: ProviderValue): string | undefined => {
    const value = node === undefined ? undefined : evaluator.valueOf(node, { is: 'string' }, path)
    return node === undefined || evaluator.isUnknown(node) || typeof value !== 'string' ? undefined : value
  }
  const compare = (own: ProviderValue, name: string, plain: (text: string) => string): void => {
    const [said, set] = [textAt(own), env[name]]
    if (own.node === undefined || said === undefined || set === undefined || set === '') return
    if (plain(said) === plain(set)) return
    const message = `${quoted(plain(said))} is not what ${name} says: ${quoted(plain(set))}`
    report.add(own.node, { path: own.path, message })
  }
  compare(provider.baseUrl, 'DEPLOYMGMT_BASE_URL', normalizeBaseUrl)
  compare(provider.publicKey, 'DEPLOYMGMT_PUBLIC_KEY', (text) => text)
  return textAt(provider.orgId)
}

const withAllowed = (entry: Entry, translated: Translated | undefined): Entry => {
  const allow = translated?.allowed.get(entry.address)
  return allow === undefined ? entry : { ...entry, allow }
}

const NOTHING: Recorded = () => undefined

type Read = Pick<Awaited<ReturnType<typeof read>>, 'given' | 'loaded' | 'translated'> & {
  readonly root: MapNode
}

/** Nothing where a part of it is missing or wrong: that is said when everything is evaluated. */
const headIn = (
  { root, given, loaded, translated }: Read,
  kinds: readonly KindDefinition[],
): Head | undefined => {
  const textOf = headText(root, { given, kinds })
  const [name, stateAt] = [textOf('name'), pairOf(root, 'state')?.value]
  const text = stateAt && textOf('state')
  if (name === undefined || (stateAt !== undefined && text === undefined)) return undefined
  return {
    name,
    state: stateAt === undefined || text === undefined ? undefined : { text, path: stateAt.source.path },
    path: translated === undefined ? loaded.paths[0] : undefined,
  }
}

/** What stands at the top of a manifest, as far as it can be told before anything recorded is known. */
const headText = (root: MapNode, { given, kinds }: Pick<Given, 'given' | 'kinds'>) => {
  const report = new Report()
  const around = { root, kinds, given, recorded: NOTHING, data: () => 'waiting' as const }
  const evaluator = new Evaluator(report, lookupsIn({ ...around, offline: true, complete: false, report }))
  return (key: string): string | undefined => {
    const node = pairOf(root, key)?.value
    if (node?.is !== 'scalar') return undefined
    const text = evaluator.valueOf(node, { is: 'string' }, [key])
    return typeof text === 'string' && text !== '' && !evaluator.isUnknown(node) ? text : undefined
  }
}

const refuseOpenHead = (root: MapNode, report: Report): void => {
  for (const key of ['name', 'state']) {
    const { value } = pairOf(root, key) ?? {}
    const message = `the ${key} has to be known before what is recorded: of expressions only variables and projects can stand here`
    if (value?.is === 'scalar' && String(value.value).includes('${'))
      report.add(value, { path: [key], message })
  }
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
  const around = { root, kinds, given, recorded, data, offline: true, complete: false, report }
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

const evaluated = (around: Surroundings): Checked => {
  const { root, kinds, complete, report } = around
  const parts = manifestParts(kinds)
  const secrets = hideSecrets(root, parts)
  const evaluator = new Evaluator(report, lookupsIn(around))
  const value = Object.fromEntries(
    [...root.pairs].map(([name, { value: node }]) => [
      name,
      evaluator.valueOf(node, parts[name]?.type, [name]),
    ]),
  )
  const checked = { root, value, kinds, parts, evaluator, secrets, complete, report }
  const named = { ...checked, value: withProjectIds(checked) }
  return { ...named, value: withOrganization(named) }
}

const declarationOf = (
  { value }: Checked,
  entries: readonly Entry[],
  projects: Projects,
  orgId: string | undefined,
): Declaration => {
  const { name, defaults, key } = value as {
    name: string
    defaults?: { orgId?: string }
    key?: { exclusive?: boolean }
  }
  const orgIds = [defaults?.orgId, orgId, ...entries.map(({ values }) => values['orgId'])]
  return {
    name,
    entries,
    organizations: projects.organizations,
    orgIds: [...new Set(orgIds.filter((id) => typeof id === 'string'))],
    ownsKey: key?.exclusive === true,
    projectNames: projects.names,
  }
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
