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
  random,
}: Pick<Io, 'now' | 'env' | 'cwd' | 'stderr' | 'pause' | 'random'>): System =>
  systemWith({
    now,
    env,
    cwd,
    ...(pause === undefined ? {} : { pause }),
    ...(random === undefined ? {} : { random }),
    say: (text) => tell({ stderr }, text),
  })
