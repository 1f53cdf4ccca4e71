import type { Io } from '../../io.ts'
import { systemWith, type System } from '../../state/index.ts'
import { tell } from '../output/tell.ts'

/** The machine as the state code sees it when a command runs. */
export const systemOf = ({
  now,
  env,
  cwd,
  stderr,
  pause,
}: Pick<Io, 'now' | 'env' | 'cwd' | 'stderr' | 'pause'>): System =>
  systemWith({
    now,
    env,
    cwd,
    ...(pause === undefined ? {} : { pause }),
    say: (text) => tell({ stderr }, text),
  })
