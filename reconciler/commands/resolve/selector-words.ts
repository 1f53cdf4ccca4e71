import { configurationSpelling } from '@deploymgmt/provider/core'
import { entryOf, type Run } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { listFindings, type LoadedDeclaration } from '../../config/index.ts'
import type { ManifestFinding } from '../../errors/finding.ts'
import type { Io } from '../../io.ts'
import { tell } from '../output/tell.ts'

/** Warnings about words in selectors: whether a word is misspelt is known only after reading. */
export const isOfSelector = ({ severity, path }: ManifestFinding): boolean => {
  const { section, field } = placeOf(path)
  return (
    severity === 'warning' &&
    kinds.some((each) => each.section === section && each.expand.members?.by === field)
  )
}

/** A stack has `resource.TYPE.NAME.FIELD`, a manifest has `SECTION.NAME.FIELD`. */
const placeOf = (path: string): { section: string; name: string; field: string } => {
  const [first = '', type = '', ...rest] = path.split('.')
  const own = kinds.find((each) => first === 'resource' && type === configurationSpelling.kind(each.kind))
  const [name = '', field = ''] = own === undefined ? [type, ...rest] : rest
  return { section: own?.section ?? first, name, field }
}

/**
 * Prints the warnings about words that matched nothing where something was read. A service can have types of its own,
 * which are no mistakes.
 */
export const tellUnmet = async (
  io: Io,
  { warnings, declaration }: Pick<LoadedDeclaration, 'warnings' | 'declaration'>,
  { plan }: Pick<Run, 'plan'>,
): Promise<void> => {
  const doubtful = warnings.filter(isOfSelector)
  if (doubtful.length === 0) return
  const entries = new Set(declaration.entries.map(({ address }) => address))
  const planned = plan.planned.flatMap(({ change: { address, reason } }) =>
    reason.code === 'place-missing' ? [] : [address],
  )
  const met = new Set(planned.filter((address) => !entries.has(address)).map(entryOf))
  const idle = new Set(planned.map(entryOf).filter((entry) => !met.has(entry)))
  const unmet = doubtful.filter(({ path }) => {
    const { section, name } = placeOf(path)
    return idle.has(`${section}.${name}`)
  })
  if (unmet.length > 0) await tell(io, listFindings(unmet))
}
