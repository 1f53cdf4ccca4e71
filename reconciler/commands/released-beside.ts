import { entryOf, type Run } from '@deploymgmt/provider/engine'
import { DEFAULT_MANIFEST, type LoadedDeclaration } from '../config/index.ts'
import type { Io } from '../io.ts'
import { counted } from '../render/sentences.ts'
import { typed } from './adopt-files.ts'
import { sameFlagsOf, type CommonOptions } from './options.ts'
import { folderOf } from './state-meant.ts'

/** A warning where manifests that nobody has named declare what would be released; files are read in that case alone. */
export const releasedBeside = async (
  io: Pick<Io, 'cwd'>,
  { file }: Pick<CommonOptions, 'file'>,
  { head, declaration, declaredBeside }: LoadedDeclaration,
  { plan }: Pick<Run, 'plan'>,
): Promise<string[]> => {
  const declared = new Set(declaration.entries.map(({ address }) => entryOf(address)))
  const released = plan.planned
    .flatMap(({ change: { action, address } }) => (action === 'release' ? [entryOf(address)] : []))
    .filter((entry) => !declared.has(entry))
  if (released.length === 0) return []
  const beside = await declaredBeside(new Set(released), await folderOf(head, io.cwd))
  if (beside.size === 0) return []
  const entries = new Set([...beside.values()].flat())
  const things = released.filter((entry) => entries.has(entry)).length
  const paths = [...beside.keys()].map((path) => typed(io.cwd, path))
  const named = file.length === 0 ? [DEFAULT_MANIFEST] : file
  const flags = sameFlagsOf({ file: [...named, ...paths], var: [], varFile: [] })
  const [subject, it] =
    paths.length === 1
      ? [`${paths.join('')} is not read, and declares`, 'it']
      : [`${paths.length} manifests beside are not read, and declare`, 'them']
  return [`${subject} ${counted(things, 'thing')} that would be released; to read ${it}, too:${flags}`]
}
