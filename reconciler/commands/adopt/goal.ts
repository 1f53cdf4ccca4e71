import { extname, join, resolve } from 'node:path'
import { kinds } from '@deploymgmt/provider/kinds'
import { manifestFiles, loadHead } from '../../config/index.ts'
import { UsageError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { manifestsOf, type CommonOptions } from '../line/options.ts'
import { ownFolderOf } from '../resolve/state.ts'
import { typed } from '../output/typed.ts'
import { namedStream } from '../output/output.ts'
import { seriesOf, type Series } from './files.ts'

const ADOPTED = 'deploymgmt.adopted.yaml'

/** Where the entries are written. */
export interface Goal {
  readonly series: Series
  /** Files of earlier adoptions, absolute. */
  readonly earlier: readonly string[]
  /** Set if the manifest is printed instead. */
  readonly stream: NodeJS.WritableStream | undefined
}

export const goalOf = async (io: Io, options: CommonOptions): Promise<Goal> => {
  const head = await loadHead(manifestsOf(io, options), kinds)
  if (head.path === undefined)
    throw new UsageError('adopt writes manifests, and a configuration in JSON takes none beside it', {
      hint: 'Name a manifest with the projects: deploymgmt adopt -f deploymgmt.yaml',
    })
  const { output } = options
  const stream = output === undefined ? undefined : namedStream(io, output)
  if (stream !== undefined && options.format === 'json')
    throw new UsageError('--output - prints the manifest, and --format json would print a report', {
      hint: 'Leave one of them out.',
    })
  if (output !== undefined && extname(output) === '.json')
    throw new UsageError(`adopt writes manifests in YAML, and ${output} would be read as JSON`, {
      hint: 'Name a file that ends with .yaml.',
    })
  const usual = await seriesOf(join(await ownFolderOf(head, io.cwd), ADOPTED))
  const series =
    output === undefined || stream !== undefined ? usual : await seriesOf(resolve(io.cwd, output))
  return { series, earlier: [...new Set([...usual.earlier, ...series.earlier])], stream }
}

/** The named manifests and the files of earlier adoptions, whether these are named or not. */
export const filesWith = (io: Io, { file }: CommonOptions, earlier: readonly string[]): string[] =>
  earlier.length === 0 ? [...file] : [...manifestFiles(file), ...earlier.map((path) => typed(io.cwd, path))]
