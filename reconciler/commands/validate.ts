import { kinds } from '@deploymgmt/provider/kinds'
import { loadDeclaration, renderFindings } from '../config/index.ts'
import type { Io } from '../io.ts'
import { formatOf } from '../render/formats.ts'
import type { CommonOptions } from './options.ts'
import { reporter } from './report.ts'
import { tell } from './tell.ts'

/** Checks manifests offline: no state, no credentials, no request. */
export const validate = async (io: Io, options: CommonOptions): Promise<number> => {
  const report = await reporter(io, options, 'validation')
  const { declaration, warnings } = await loadDeclaration(
    { files: options.file, vars: options.var, cwd: io.cwd, env: io.env, offline: true },
    kinds,
  )
  if (warnings.length > 0 && formatOf('validation', options.format)?.for === 'person')
    await tell(io, renderFindings(warnings, {}))
  const { name, entries } = declaration
  await report({ document: { valid: true, name, entries: entries.length, warnings } })
  return 0
}
