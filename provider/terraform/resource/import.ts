import { defaultRelease, type Identity, type KindDefinition } from '../../core/index.ts'
import { known, type Plain } from '../codec/plain.ts'
import { noImportId, wrongImportId } from '../words/configuration.ts'
import { errorAt, type Diagnostic } from '../diagnostics.ts'
import { checkImported } from '../value-checks.ts'
import { defaultsOf } from './entry.ts'

/**
 * The state that an import starts with: what the id or the identity says; the read that follows fills in the rest.
 */
export const importResource = (
  definition: KindDefinition,
  named: string | Identity,
): { readonly state: Plain } | { readonly problems: readonly Diagnostic[] } => {
  const { scope, key, assigned } = definition.identity
  const names = [...scope, key]
  const parts = typeof named === 'string' ? named.split('/') : names.map((name) => named[name] ?? '')
  const id = parts.join('/')
  if (parts.length !== names.length || parts.some((part) => part === ''))
    return { problems: [errorAt(undefined, noImportId(definition, id))] }
  const problems = names.flatMap((name, index) => problemsInPart(definition, name, parts[index] ?? ''))
  if (problems.length > 0) return { problems }
  return {
    state: known({
      ...defaultsOf(definition),
      ...Object.fromEntries(names.map((name, index) => [name, parts[index]])),
      id: assigned === 'never' ? id : parts.at(-1),
      onRemove: defaultRelease(definition),
      evidence: 'unknown',
    }),
  }
}

/** A part that leads out of the path of a request would read another thing; a part of another form names nothing. */
const problemsInPart = (definition: KindDefinition, name: string, part: string): Diagnostic[] => {
  const field = definition.fields[name]
  const found = field === undefined ? [] : checkImported(name, field, part)
  return found.map((text) => errorAt(undefined, wrongImportId(definition, text)))
}
