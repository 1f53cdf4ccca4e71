import { manifestParts, type KindDefinition } from '@deploymgmt/provider/core'
import type { Declaration, Entry } from '@deploymgmt/provider/engine'
import { ManifestError } from '../errors/manifest-error.ts'
import { checkContent } from './content.ts'
import { entriesOf } from './entries.ts'
import { Evaluator } from './evaluate.ts'
import type { ManifestFinding } from './finding.ts'
import { load, type Loaded } from './load.ts'
import { merge } from './merge.ts'
import { pairOf, type MapNode } from './node.ts'
import { projectsOf, type Projects } from './projects.ts'
import { lookupsIn, type Recorded } from './references.ts'
import { Report } from './report.ts'
import { checkRules } from './rules.ts'
import { hideSecrets } from './secrets.ts'
import { checkStructure, type Checked } from './structure.ts'
import {
  checkVariables,
  givenValue,
  givenVariables,
  refuseUndeclared,
  type GivenVariables,
} from './variables.ts'

export interface LoadOptions {
  /** What `--file` names: files and folders; `deploymgmt.yaml` where it is empty. */
  readonly files: readonly string[]
  readonly vars?: GivenVariables
  /** Identity and answer values of what is recorded, by address. */
  readonly recorded?: Recorded
  readonly cwd?: string
  /** Without a state: what only a record can tell is left as it is written. */
  readonly offline?: boolean
}

export interface LoadedDeclaration {
  readonly declaration: Declaration
  readonly warnings: readonly ManifestFinding[]
  readonly sources: readonly { readonly file: string; readonly sha256: string }[]
  /** Every declared variable with the value that counted. */
  readonly variables: Readonly<Record<string, unknown>>
}

/**
 * Loads manifests, checks everything about them that needs no service, and resolves every reference.
 * @throws ManifestError with all findings at once.
 * @throws ManifestNotFoundError, ManifestUnsupportedError, VariableError
 */
export const loadDeclaration = async (
  { files, vars = [], recorded = () => undefined, cwd = process.cwd(), offline = false }: LoadOptions,
  kinds: readonly KindDefinition[],
): Promise<LoadedDeclaration> => {
  const report = new Report()
  const given = givenVariables(vars)
  const loaded = await load(files, cwd, report)
  const root = merge(loaded.documents, manifestParts(kinds), report)
  if (root === undefined) throw new ManifestError(report.findings())
  if (loaded.complete) refuseUndeclared(given, root)
  const checked = evaluated(root, { loaded, given, recorded, offline, kinds, report })
  await checkStructure(checked)
  checkContent(checked)
  checkVariables(root, given, report)
  const projects = projectsOf(checked)
  const placed = entriesOf(checked)
  checkRules(placed, report)
  const findings = report.findings()
  if (report.errors > 0) throw new ManifestError(findings)
  const declaration = declarationOf(
    checked,
    placed.map(({ entry }) => entry),
    projects,
  )
  return { declaration, warnings: findings, sources: loaded.sources, variables: variablesOf(checked, given) }
}

interface Given {
  readonly loaded: Loaded
  readonly given: ReadonlyMap<string, string>
  readonly recorded: Recorded
  readonly offline: boolean
  readonly kinds: readonly KindDefinition[]
  readonly report: Report
}

const evaluated = (root: MapNode, { loaded, given, recorded, offline, kinds, report }: Given): Checked => {
  const parts = manifestParts(kinds)
  const secrets = hideSecrets(root, parts)
  const { complete } = loaded
  const lookups = lookupsIn({ root, kinds, given, recorded, offline, complete, report })
  const evaluator = new Evaluator(report, lookups)
  const value = Object.fromEntries(
    [...root.pairs].map(([name, { value: node }]) => [
      name,
      evaluator.valueOf(node, parts[name]?.type, [name]),
    ]),
  )
  return { root, value, kinds, parts, evaluator, secrets, complete, report }
}

const declarationOf = ({ value }: Checked, entries: readonly Entry[], projects: Projects): Declaration => {
  const { name, defaults } = value as { name: string; defaults?: { orgId?: string } }
  const orgIds = [defaults?.orgId, ...entries.map(({ values }) => values['orgId'])]
  return {
    name,
    entries,
    organizations: projects.organizations,
    orgIds: [...new Set(orgIds.filter((id) => typeof id === 'string'))],
    projectNames: projects.names,
  }
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
