import { checkArguments, type Problem } from '@deploymgmt/provider/core/check'
import type { DataSourceDefinition, Values } from '@deploymgmt/provider/core'
import { Evaluator } from './evaluate.ts'
import { lookupsIn, type DataLookup, type Surroundings } from './references.ts'
import type { Report } from './report.ts'
import { argumentName } from './terraform-json/attributes.ts'
import type { DataBlock } from './terraform-json/index.ts'
import { argumentWords, type Saying } from './wording.ts'

/** Reads one data source; the same arguments are asked for once in a run. */
export type ReadData = (definition: DataSourceDefinition, values: Values) => Promise<Values>

type Blocks = ReadonlyMap<string, DataBlock>

/** Before anything is read: whatever refers to a data source waits. */
export const waitingData =
  (blocks: Blocks): DataLookup =>
  (source) =>
    blocks.has(source) ? 'waiting' : undefined

/** Checks the arguments of all of them, as far as they are known before anything is read. */
export const checkData = (blocks: Blocks, around: Omit<Surroundings, 'data'>): void => {
  const lookups = lookupsIn({ ...around, data: waitingData(blocks), later: 'passed-over' })
  const evaluator = new Evaluator(around.report, lookups)
  for (const block of blocks.values()) argumentsOf(block, evaluator, around.report)
}

/**
 * Reads data sources in the order in which they refer to one another. What is wrong with their arguments goes to
 * the report.
 */
export const readData = async (
  blocks: Blocks,
  around: Omit<Surroundings, 'data'>,
  read: ReadData,
): Promise<DataLookup> => {
  const used = [...blocks].filter(([, { isUsed }]) => isUsed)
  const told = new Map<string, Values>()
  const lookup: DataLookup = (source) => told.get(source) ?? waitingData(blocks)(source)
  let open = used
  while (open.length > 0 && around.report.errors === 0) {
    // What was not known a round before is looked at anew.
    const evaluator = new Evaluator(around.report, lookupsIn({ ...around, data: lookup }))
    const ready = open.flatMap(([name, block]) => {
      const values = argumentsOf(block, evaluator, around.report)
      return values === undefined ? [] : [{ name, block, values }]
    })
    if (around.report.errors > 0) break
    if (ready.length === 0) {
      refuseCircle(open, around.report)
      break
    }
    await Promise.all(
      ready.map(async ({ name, block, values }) => {
        told.set(name, { ...(await read(block.definition, values)), ...values })
      }),
    )
    open = open.filter(([name]) => !told.has(name))
  }
  return lookup
}

/** Nothing while an argument waits for another data source. */
const argumentsOf = (
  { definition, at, path, arguments: given }: DataBlock,
  evaluator: Evaluator,
  report: Report,
): Values | undefined => {
  const values: Record<string, unknown> = {}
  const open = new Set<string>()
  for (const [name, { node, path: inner }] of given) {
    values[name] = evaluator.valueOf(node, definition.arguments[name]?.type, inner)
    if (!evaluator.isUnknown(node)) continue
    open.add(name)
    const [later] = evaluator.latersOf(node)
    if (later !== undefined) report.add(node, { path: inner, message: later.message })
  }
  const saying: Saying = { how: 'written', nearest: (word, words) => report.nearest(word, words) }
  for (const problem of checkArguments(definition, values)) {
    const argument = String(problem.within[0])
    if (open.has(argument)) continue
    const place = given.get(argument)
    const message = argumentLine(problem, definition, saying)
    report.add(place?.node ?? at, { path: place?.path ?? path, message })
  }
  return open.size > 0 ? undefined : values
}

/** What is wrong with an argument, which is named as the stack names it. */
export const argumentLine = (problem: Problem, definition: DataSourceDefinition, saying: Saying): string =>
  `${argumentName(definition, String(problem.within[0]))} ${argumentWords(problem, definition, saying)}`

const refuseCircle = (open: readonly (readonly [string, DataBlock])[], report: Report): void => {
  for (const [, { at, path }] of open)
    report.add(at, { path, message: 'data sources refer to one another in a circle' })
}
