import { shellWord } from '../text/display.ts'
import { DEFAULT_STATE, type CommonOptions } from './options.ts'

/** What a later command has to be given to mean the same declaration, state and service; with a blank before each. */
export const againFlags = ({
  file,
  var: vars,
  state,
  local,
}: Pick<CommonOptions, 'file' | 'var' | 'state' | 'local'>): string =>
  [
    ...file.flatMap((path) => ['-f', shellWord(path)]),
    ...vars.flatMap((variable) => ['--var', shellWord(variable)]),
    ...stateFlags({ state, local }),
  ]
    .map((word) => ` ${word}`)
    .join('')

const stateFlags = ({ state, local }: { state: string; local: boolean | undefined }): string[] => [
  ...(state === DEFAULT_STATE ? [] : ['--state', shellWord(state)]),
  ...(local === true ? ['--local'] : []),
]
