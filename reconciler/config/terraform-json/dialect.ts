import { camelToSnake, terraformType, type KindDefinition } from '@deploymgmt/provider/core'
import type { Path } from '../path.ts'
import type { Dialect } from '../source.ts'

/**
 * Places of a translated configuration as they are in its file: findings speak of JSON paths and of
 * constructs, whatever the manifest that was made of them looks like.
 */
export class TerraformDialect implements Dialect {
  readonly #types: ReadonlyMap<string, string>
  readonly #constructs = new Map<string, string>()

  constructor(kinds: readonly KindDefinition[]) {
    this.#types = new Map(kinds.map((kind) => [kind.section, typeOf(kind)]))
  }

  /** Remembers which construct made an entry. */
  note(path: Path, construct: string): void {
    this.#constructs.set(key(path), construct)
  }

  pathOf(path: Path): Path {
    const [part, name, ...rest] = path
    const type = this.#types.get(String(part))
    if (type !== undefined)
      return ['resource', type, ...(name === undefined ? [] : [name]), ...attribute(rest)]
    if (part === 'variables') return ['variable', ...path.slice(1)]
    return part === 'name' ? STACK_NAME : path
  }

  remarkOn(path: Path): string | undefined {
    const construct = this.#constructs.get(key(path))
    return construct === undefined ? undefined : `construct ${construct}`
  }
}

export const STACK_NAME: Path = ['//', 'metadata', 'stackName']

/** The Terraform type of a kind's resource. */
export const typeOf = ({ kind }: KindDefinition): string => terraformType(kind)

const key = (path: Path): string => path.slice(0, 2).join('\0')

/** A name as it stands in the file, and not as a manifest would have it. */
export const asWritten = (name: string): string => `${WRITTEN}${name}`
const WRITTEN = '='

const attribute = ([name, ...rest]: Path): Path => {
  if (name === undefined) return []
  if (String(name).startsWith(WRITTEN)) return [String(name).slice(WRITTEN.length), ...rest]
  if (name === 'protect') return ['lifecycle', 'prevent_destroy']
  if (name === 'ignoreChanges') return ['lifecycle', 'ignore_changes', ...rest]
  return [name, ...rest].map((step) => (typeof step === 'string' ? camelToSnake(step) : step))
}
