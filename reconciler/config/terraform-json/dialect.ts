import {
  configurationSpelling,
  terraformType,
  type Attribute,
  type AttributeType,
  type KindDefinition,
} from '@deploymgmt/provider/core'
import { pathKey, type Path } from '../tree/path.ts'
import type { Dialect } from '../tree/source.ts'
import { attributesOf } from './attributes.ts'

/**
 * Describes places of a translated configuration as they are in its file: findings name JSON paths and constructs,
 * regardless of the manifest that was made.
 */
export class TerraformDialect implements Dialect {
  readonly spelling = configurationSpelling
  readonly #kinds: ReadonlyMap<string, KindDefinition>
  readonly #constructs = new Map<string, string>()

  constructor(kinds: readonly KindDefinition[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.section, kind]))
  }

  /** Records which construct made an entry. */
  note(path: Path, construct: string): void {
    this.#constructs.set(key(path), construct)
  }

  pathOf(path: Path): Path {
    const [part, name, ...rest] = path
    const kind = this.#kinds.get(String(part))
    if (kind !== undefined)
      return ['resource', typeOf(kind), ...(name === undefined ? [] : [name]), ...attribute(kind, rest)]
    if (part === 'variables') return ['variable', ...path.slice(1)]
    if (part === 'projects') return ['provider', 'deploymgmt', ...path.slice(0, 2)]
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

const key = (path: Path): string => pathKey(path.slice(0, 2))

/** A marked name that is shown as it is in the file, not in the manifest's spelling. */
export const asWritten = (name: string): string => `${WRITTEN}${name}`
const WRITTEN = '='

const attribute = (kind: KindDefinition, [name, ...rest]: Path): Path => {
  if (name === undefined) return []
  if (name === 'protect') return ['lifecycle', 'prevent_destroy']
  if (name === 'ignoreChanges') return ['lifecycle', 'ignore_changes', ...rest]
  return spelt([name, ...rest], [...attributesOf(kind).values()])
}

/** Replaces keys by attribute names. */
const spelt = ([step, ...rest]: Path, attributes: readonly Attribute[]): Path => {
  if (step === undefined) return []
  if (typeof step === 'number') return [step, ...spelt(rest, attributes)]
  if (step.startsWith(WRITTEN)) return [step.slice(WRITTEN.length), ...rest]
  const found = attributes.find((each) => each.key === step)
  return [found?.name ?? step, ...spelt(rest, found === undefined ? [] : within(found.type))]
}

const within = (type: AttributeType): readonly Attribute[] => {
  if (type.is === 'object') return type.attributes
  return 'of' in type ? within(type.of) : []
}
