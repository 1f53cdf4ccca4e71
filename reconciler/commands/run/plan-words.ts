import type { Words } from '@deploymgmt/provider/words'
import type { LoadedDeclaration } from '../../config/index.ts'
import { isStack } from '../../render/wording/way-lines.ts'
import { commandWords } from '../../render/wording/words.ts'
import type { ReadSession } from '../../state/index.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'

/**
 * The words for a plan, which depend on whether there is a state yet, and whether a person or a program wrote the
 * declaration.
 */
export const planWords = (
  { declaration, sources }: Pick<LoadedDeclaration, 'declaration' | 'sources'>,
  { exists }: Pick<ReadSession, 'exists'>,
  options: CommonOptions,
): Words =>
  commandWords(declaration.projectNames, {
    hasState: exists,
    sameFlags: sameFlagsOf(options),
    isWritten: isStack(sources.map(({ file }) => file)),
  })
