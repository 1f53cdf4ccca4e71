import type { Words } from '@deploymgmt/provider/words'
import type { LoadedDeclaration } from '../../config/index.ts'
import { isStack } from '../../render/wording/way-lines.ts'
import { commandWords } from '../../render/wording/words.ts'
import type { ReadSession } from '../../state/index.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'

/** In which words a plan is told, by what there is: a state or none yet, and a manifest or what a program has written. */
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
