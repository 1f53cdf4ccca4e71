import type { Environment } from '@deploymgmt/provider/api'
import { manifestParts } from '@deploymgmt/provider/core'
import type { Declaration, Entry } from '@deploymgmt/provider/engine'
import type { Checked } from './manifest/checked.ts'
import { checkContent } from './manifest/content.ts'
import { checkData, readData, waitingData } from './manifest/data.ts'
import { entriesOf, type PlacedEntry } from './manifest/entries.ts'
import { Evaluator } from './evaluation/evaluate.ts'
import { gatesOf } from './manifest/gates.ts'
import { ignoredIn, type Ignored } from './manifest/ignored.ts'
import type { LoadOptions } from './loaded-declaration.ts'
import { pairOf } from './tree/node.ts'
import { withOrganization } from './manifest/organization.ts'
import { withProjectIds } from './manifest/project-names.ts'
import { projectsOf, type Projects } from './manifest/projects.ts'
import { organizationOf } from './manifest/provider-block.ts'
import { lookupsIn, type DataLookup, type ReferenceContext } from './evaluation/references.ts'
import { checkRules } from './manifest/rules.ts'
import { refuseBoth } from './manifest/scopes.ts'
import { hideSecrets } from './tree/secrets.ts'
import type { DataBlock, Translated } from './terraform-json/index.ts'
import { checkVariables } from './evaluation/variables.ts'
import { refuseLaterOutside } from './manifest/waiting-fields.ts'

/**
 * Evaluates and checks a manifest: everything that can be known to be wrong is reported before a data source is
 * read.
 */
export const declare = async (
  context: Omit<ReferenceContext, 'data'>,
  translated: Translated | undefined,
  { env = {}, rehearsal = false, readData: told, judge }: LoadOptions,
) => {
  const declareWith = (data: DataLookup) => {
    const checked = evaluated({ ...context, data })
    // A value that seems missing may be in a file that could not be read.
    const isGiven = (name: string): boolean =>
      context.given.has(name) || context.givenWrong?.has(name) === true
    if (context.complete) checkVariables(context.root, isGiven, context.report)
    return { checked, data, ...declarationIn(checked, translated, { env: rehearsal ? {} : env, judge }) }
  }
  const blocks = translated?.data ?? new Map<string, DataBlock>()
  checkData(blocks, context)
  const first = declareWith(waitingData(blocks))
  return first.declaration === undefined ||
    ![...blocks.values()].some(({ isUsed }) => isUsed) ||
    told === undefined
    ? first
    : declareWith(await readData(blocks, context, told))
}

/** Checks evaluated content, and returns the declaration if nothing is wrong with it. */
const declarationIn = (
  checked: Checked,
  translated: Translated | undefined,
  { env, judge }: { readonly env: Environment; readonly judge: LoadOptions['judge'] },
): { readonly declaration: Declaration | undefined; readonly ignored: readonly Ignored[] } => {
  checkContent(checked)
  refuseLaterOutside(checked, checked.root.pairs)
  const ignored = ignoredIn(checked)
  refuseBoth(checked, pairOf(checked.root, 'defaults')?.value, ['defaults'])
  const projects = projectsOf(checked)
  gatesOf(checked, projects)
  const placed = entriesOf(checked)
  checkRules(placed, checked)
  // If a file could not be read, entries may be different.
  if (judge !== undefined && checked.complete) checkJudged(placed, judge, checked)
  const orgId = translated === undefined ? undefined : organizationOf(translated, checked, env)
  const entries = placed.map(({ entry }) => withAllowed(entry, translated))
  const isSound = checked.report.errors === 0
  return { declaration: isSound ? declarationOf(checked, entries, projects, orgId) : undefined, ignored }
}

/** Reports mistakes in entries that only show once all entries are known, regardless of errors elsewhere. */
const checkJudged = (
  placed: readonly PlacedEntry[],
  judge: NonNullable<LoadOptions['judge']>,
  { report }: Checked,
): void => {
  const places = new Map(placed.map((each) => [each.entry, each]))
  const wrong = new Set(placed.filter(({ path }) => report.hasErrorIn(path)).map(({ entry }) => entry))
  const judged = judge(
    placed.map((each) => each.entry),
    (entry) => !wrong.has(entry),
  )
  for (const { entry, message, ...rest } of judged) {
    const place = places.get(entry)
    if (place !== undefined) report.add(place.pair.key, { path: place.path, message, ...rest })
  }
}

const withAllowed = (entry: Entry, translated: Translated | undefined): Entry => {
  const allow = translated?.allowed.get(entry.address)
  return allow === undefined ? entry : { ...entry, allow }
}

/** All values of a manifest; reports errors in their expressions. */
export const evaluated = (context: ReferenceContext): Checked => {
  const { root, kinds, complete, later, report } = context
  const parts = manifestParts(kinds)
  const secrets = hideSecrets(root, parts)
  const evaluator = new Evaluator(report, lookupsIn(context))
  const value = Object.fromEntries(
    [...root.pairs].map(([name, { value: node }]) => [
      name,
      evaluator.valueOf(node, parts[name]?.type, [name]),
    ]),
  )
  const checked = { root, value, kinds, parts, evaluator, secrets, later, complete, report }
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
