import type { Words } from '@deploymgmt/provider/words'
import type { LoadedDeclaration } from '../../config/index.ts'
import { isStack } from '../../render/wording/way-lines.ts'
import { commandWords } from '../../render/wording/words.ts'
import type { ReadSession } from '../../state/index.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'

type Declared = Pick<LoadedDeclaration, 'declaration' | 'sources'>

/** The words for what was declared, which depend on whether a person or a program wrote it. */
export const wordsAbout = (
  { declaration, sources }: Declared,
  more: Pick<NonNullable<Parameters<typeof commandWords>[1]>, 'hasState' | 'sameFlags'> = {},
): Words =>
  commandWords(declaration.projectNames, { ...more, isWritten: isStack(sources.map(({ file }) => file)) })

/** The words for a plan, which also depend on whether there is a state yet. */
export const planWords = (
  loaded: Declared,
  { exists }: Pick<ReadSession, 'exists'>,
  options: CommonOptions,
): Words => wordsAbout(loaded, { hasState: exists, sameFlags: sameFlagsOf(options) })
