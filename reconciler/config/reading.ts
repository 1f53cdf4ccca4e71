import type { Environment } from '@deploymgmt/provider/api'
import { manifestParts, type KindDefinition, type ManifestPart } from '@deploymgmt/provider/core'
import { ManifestUnsupportedError } from '../errors/manifest-unsupported-error.ts'
import { isSome, together } from '../errors/together.ts'
import { KeptTree } from './tree/kept-tree.ts'
import { load, ownKey, type Loaded } from './files/load.ts'
import type { LoadOptions } from './loaded-declaration.ts'
import { merge, type Layers } from './files/merge.ts'
import type { MapNode } from './tree/node.ts'
import { parse } from './tree/parse.ts'
import type { ReferenceContext } from './evaluation/references.ts'
import { Report } from './tree/report.ts'
import { hideSecrets } from './tree/secrets.ts'
import type { Source } from './tree/source.ts'
import type { Translated } from './terraform-json/index.ts'
import { isTerraform } from './terraform-json/nodes.ts'
import { loadVariables, withVariables } from './files/variable-files.ts'
import { givenVariables } from './evaluation/variables.ts'

/**
 * The files as one tree, in whatever format they are.
 * @throws ManifestNotFoundError, VariableError with all mistakes in the words of the command
 */
export const readManifests = async (options: LoadOptions, kinds: readonly KindDefinition[]) => {
  const found = await readWhatIsThere(options, kinds)
  if (isSome(found.wrong)) throw together(found.wrong)
  return found
}

/** The same for paths that can be opened, with the mistakes in the words of the command. */
export const readWhatIsThere = async (
  { files, vars = [], varFiles = [], others = [], cwd = process.cwd(), env = {} }: LoadOptions,
  kinds: readonly KindDefinition[],
) => {
  const key = await ownKey(env)
  const report = new Report(key.value)
  const parts = manifestParts(kinds)
  const loaded = await load(files, { cwd, key, others: [...varFiles, ...others], parts }, report)
  const told = await loadVariables(varFiles, { cwd, key }, report)
  const { given: own, wrong: wrongVars } = givenVariables(vars)
  const wrong = [...loaded.lacking, ...told.lacking, ...wrongVars.values()]
  if (loaded.paths.length === 0 && isSome(wrong)) throw together(wrong)
  const translated = await translatedFrom(loaded, { given: own, env, kinds, report })
  if (translated !== undefined && told.sources[0] !== undefined) refuseBesideTerraform(told.sources[0])
  const layers = translated === undefined ? loaded.layers : [[translated.root]]
  const context = { kinds, parts, variables: told.documents, complete: loaded.complete }
  const root = treeOf(layers, context, report)
  const all = {
    ...loaded,
    sources: [...loaded.sources, ...told.sources],
    paths: [...loaded.paths, ...told.paths],
    complete: loaded.complete && told.complete,
  }
  return {
    loaded: all,
    translated,
    given: translated?.given ?? own,
    onLine: own,
    root,
    kept: root && new KeptTree(root, translated === undefined ? anew(layers, context) : always(root)),
    report,
    key,
    wrong,
    wrongVars,
  }
}

interface Context {
  readonly kinds: readonly KindDefinition[]
  readonly parts: Readonly<Record<string, ManifestPart>>
  /** Files of variables. */
  readonly variables: readonly MapNode[]
  readonly complete: boolean
}

const treeOf = (
  layers: Layers,
  { kinds, parts, variables, complete }: Context,
  report: Report,
): MapNode | undefined => {
  // Includes overridden values, which an excerpt can show.
  for (const document of layers.flat()) hideSecrets(document, parts)
  const merged = merge(layers, parts, { kinds, complete, report })
  return merged && withVariables(merged, variables, { complete, report })
}

/** Parses the same tree again from its texts, which are known to be correct. Keeps nothing of the first tree. */
const anew = (layers: Layers, context: Context): (() => MapNode | undefined) => {
  const sources = layers.map((of) => of.map(({ source }) => source))
  return () => treeOf(parsedAgain(sources), context, new Report())
}

const parsedAgain = (sources: readonly (readonly Source[])[]): Layers =>
  sources.map((of) =>
    of.flatMap((source) => {
      const tree = parse(source, new Report())
      return tree?.is === 'map' ? tree : []
    }),
  )

/** A translated configuration is not translated again. */
const always = (root: MapNode) => () => root

const refuseBesideTerraform = ({ file }: { readonly file: string }): never => {
  throw new ManifestUnsupportedError(
    `${file} is a file of variables, which a Terraform configuration in JSON does not take here`,
    { where: file, hint: 'Give them with --var NAME=VALUE, or as TF_VAR_NAME in the environment.' },
  )
}

type Given = Pick<ReferenceContext, 'given' | 'kinds' | 'report'>

/** The manifest for a Terraform configuration in JSON; undefined if none was named. */
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
