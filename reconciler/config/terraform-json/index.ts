import type { Environment } from '@deploymgmt/provider/api'
import type { DataSourceDefinition, KindDefinition } from '@deploymgmt/provider/core'
import { nodeAt, pairOf, type MapNode, type Pair } from '../tree/node.ts'
import type { Report } from '../tree/report.ts'
import {
  checkBlocks,
  checkSettings,
  translateProvider,
  type ProviderBlock,
  type ProviderValue,
} from './blocks.ts'
import { refuse, type Context } from './context.ts'
import { checkDataSources, translateDataSources, type DataBlock } from './data.ts'
import { STACK_NAME, TerraformDialect } from './dialect.ts'
import { mapAt, renamed, scalarAt } from './nodes.ts'
import { translateResources } from './resources.ts'
import { translateVariables } from './variables.ts'

export type { DataBlock, ProviderValue }

/** A Terraform configuration as a manifest: the same tree as from YAML, with its positions. */
export interface Translated {
  readonly root: MapNode
  /** Values of variables, from `--var` and from the environment. */
  readonly given: ReadonlyMap<string, string>
  /** Flags that resources set for themselves, by `SECTION.NAME`. */
  readonly allowed: ReadonlyMap<string, readonly string[]>
  readonly provider: ProviderBlock
  /** Data sources by `TYPE.NAME`. */
  readonly data: ReadonlyMap<string, DataBlock>
}

interface TranslateOptions {
  readonly kinds: readonly KindDefinition[]
  readonly dataSources: readonly DataSourceDefinition[]
  readonly report: Report
  readonly given: ReadonlyMap<string, string>
  readonly env: Environment
}

/** Translates the output of `cdktf synth` into a manifest; reports what is not supported, with its JSON path. */
export const translate = (
  document: MapNode,
  { kinds, dataSources, report, given, env }: TranslateOptions,
): Translated => {
  const dialect = new TerraformDialect(kinds)
  document.source.dialect = dialect
  const context: Context = {
    document,
    kinds,
    dataSources,
    report,
    dialect,
    used: new Set(),
    usedData: new Set(),
    secret: new Set(),
    texts: new Map(),
    copies: 0,
  }
  checkBlocks(context)
  checkSettings(context)
  checkDataSources(context)
  const provider = translateProvider(context)
  const { sections, allowed } = translateResources(pairOf(document, 'resource')?.value, context)
  const data = translateDataSources(context)
  // After the resources, because these determine which variables are used, and which are secrets.
  const variables = translateVariables(pairOf(document, 'variable')?.value, given, env, context)
  const root = mapAt(document, [
    ['version', { key: scalarAt(document, 'version'), value: scalarAt(document, 1) }],
    ...nameOf(context),
    ['projects', { key: scalarAt(document, 'projects'), value: mapAt(document, provider.projects) }],
    ['variables', { key: scalarAt(document, 'variables'), value: mapAt(document, variables.pairs) }],
    ...sections,
  ])
  return { root, given: variables.given, allowed, provider, data }
}

/** The state identifies a declaration by its name, which is the stack's. */
const nameOf = (context: Context): [string, Pair][] => {
  const metadata = nodeAt(context.document, '//', 'metadata')
  const stack = pairOf(metadata, 'stackName')
  if (stack?.value.is === 'scalar' && typeof stack.value.value === 'string' && stack.value.value !== '')
    return [renamed(stack, 'name', stack.value)]
  const at = stack?.key ?? { ...context.document, end: context.document.start + 1 }
  refuse(
    context,
    at,
    STACK_NAME,
    'the name of the stack is missing; the state needs it to identify the declaration',
  )
  return []
}
