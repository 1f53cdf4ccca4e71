import { entryOf, type Run } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { listFindings, type LoadedDeclaration } from '../../config/index.ts'
import type { ManifestFinding } from '../../errors/finding.ts'
import type { Io } from '../../io.ts'
import { tell } from '../output/tell.ts'
import { foldedAt } from './folded.ts'

/** Warnings of words in selectors: whether they are misspelt is known once it is read what is there. */
export const isOfSelector = ({ severity, path }: ManifestFinding): boolean => {
  const [section, , field] = path.split('.')
  return (
    severity === 'warning' &&
    kinds.some((each) => each.section === section && each.expand.members?.by === field)
  )
}

/** Tells of those that have met nothing: a service has types of its own, which are no mistakes. */
export const tellUnmet = async (
  io: Io,
  { warnings, declaration }: Pick<LoadedDeclaration, 'warnings' | 'declaration'>,
  { plan }: Pick<Run, 'plan'>,
): Promise<void> => {
  const doubtful = warnings.filter(isOfSelector)
  if (doubtful.length === 0) return
  const entries = new Set(declaration.entries.map(({ address }) => address))
  const planned = plan.planned.map(({ change: { address } }) => address)
  const met = new Set(planned.filter((address) => !entries.has(address)).map(entryOf))
  const idle = new Set(planned.map(entryOf).filter((entry) => !met.has(entry)))
  const unmet = doubtful.filter(({ path }) => idle.has(path.split('.').slice(0, 2).join('.')))
  if (unmet.length > 0) await tell(io, foldedAt(io, listFindings(unmet)))
}
