import { checkArguments, lackingBounds, type Problem } from '@deploymgmt/provider/core/check'
import type { DataSourceDefinition, Values } from '@deploymgmt/provider/core'
import { sayUnbounded } from '@deploymgmt/provider/words'
import { Evaluator } from '../evaluation/evaluate.ts'
import { placeOf } from './checked.ts'
import { lookupsIn, type DataLookup, type ReferenceContext } from '../evaluation/references.ts'
import type { Report } from '../tree/report.ts'
import { argumentName } from '../terraform-json/attributes.ts'
import type { DataBlock } from '../terraform-json/index.ts'
import { argumentWords, type Saying } from '../evaluation/wording.ts'

/** Reads one data source; the same arguments are read once per run. */
export type ReadData = (definition: DataSourceDefinition, values: Values) => Promise<Values>

type Blocks = ReadonlyMap<string, DataBlock>

/** Before anything is read, all references to data sources wait. */
export const waitingData =
  (blocks: Blocks): DataLookup =>
  (source) =>
    blocks.has(source) ? 'waiting' : undefined

/**
 * Checks the arguments of all data sources, as far as they are known before anything is read, and that none depends
 * on itself, even indirectly or through resources.
 */
export const checkData = (blocks: Blocks, context: Omit<ReferenceContext, 'data'>): void => {
  const checked = new Set<string>()
  const open: string[] = []
  const check = (name: string, block: DataBlock): void => {
    const from = open.indexOf(name)
    if (from >= 0) return refuseCircle(open.slice(from), blocks, context.report)
    if (checked.has(name)) return
    checked.add(name)
    open.push(name)
    argumentsOf(block, evaluator, context.report)
    open.pop()
  }
  const data: DataLookup = (source) => {
    const block = blocks.get(source)
    if (block !== undefined) check(source, block)
    return waitingData(blocks)(source)
  }
  const evaluator = new Evaluator(context.report, lookupsIn({ ...context, data, later: 'passed-over' }))
  for (const [name, block] of blocks) check(name, block)
}

/** Reads data sources in the order of their references to one another, and reports wrong arguments. */
export const readData = async (
  blocks: Blocks,
  context: Omit<ReferenceContext, 'data'>,
  read: ReadData,
): Promise<DataLookup> => {
  const used = [...blocks].filter(([, { isUsed }]) => isUsed)
  const told = new Map<string, Values>()
  const lookup: DataLookup = (source) => told.get(source) ?? waitingData(blocks)(source)
  let open = used
  while (open.length > 0 && context.report.errors === 0) {
    // A new evaluator, because values that were unknown a round before may be known now.
    const evaluator = new Evaluator(context.report, lookupsIn({ ...context, data: lookup }))
    const ready = open.flatMap(([name, block]) => {
      const values = argumentsOf(block, evaluator, context.report)
      return values === undefined ? [] : [{ name, block, values }]
    })
    // None is left that waits for another one, because `checkData` has refused cycles.
    if (context.report.errors > 0 || ready.length === 0) break
    await Promise.all(
      ready.map(async ({ name, block, values }) => {
        told.set(name, { ...(await read(block.definition, values)), ...values })
      }),
    )
    open = open.filter(([name]) => !told.has(name))
  }
  return lookup
}

/** Undefined while an argument waits for another data source. */
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
  const bounds = lackingBounds(definition, (name) => given.has(name))
  if (bounds !== undefined)
    report.add(at, { path, message: sayUnbounded(bounds.map((name) => argumentName(definition, name))) })
  return open.size > 0 ? undefined : values
}

/** The message for a wrong argument, under its name in the stack. */
export const argumentLine = (problem: Problem, definition: DataSourceDefinition, saying: Saying): string =>
  `${argumentName(definition, String(problem.within[0]))} ${argumentWords(problem, definition, saying)}`

const refuseCircle = (names: readonly string[], blocks: Blocks, report: Report): void => {
  const circle = names.flatMap((name) => blocks.get(name) ?? [])
  const called = circle.map(({ at, path }) => placeOf(path, at))
  const message = `data sources refer to one another in a circle: ${[...called, called[0]].join(' → ')}`
  for (const { at, path } of circle) report.add(at, { path, message })
}
