import { TerraformStack, type TerraformResource } from 'cdktf'
import type { IConstruct } from 'constructs'
import { isKnown } from './checks.ts'
import { DeploymgmtProvider } from './generated/all.ts'

/** Two resources of an app that contradict each other. */
export interface Conflict {
  readonly between: readonly [TerraformResource, TerraformResource]
  readonly message: string
}

/** The message names both, because neither is more wrong than the other. */
export const contradiction = (a: TerraformResource, b: TerraformResource, what: string): Conflict => ({
  between: [a, b],
  message: `${a.node.path} and ${b.node.path} contradict each other: ${what}${apart(a, b)}`,
})

export const duplicate = (a: TerraformResource, b: TerraformResource, what: string): Conflict => ({
  between: [a, b],
  message: `${a.node.path} and ${b.node.path} declare the same: ${what}${apart(a, b)}`,
})

/** Only the addresses in the program tell that two stacks are for different installations; most omit them. */
export const apart = (a: IConstruct, b: IConstruct): string =>
  TerraformStack.of(a) === TerraformStack.of(b)
    ? ''
    : '; if the stacks are for different installations, give each provider its baseUrl'

/** Everything of a kind that is declared in a construct. */
export const all = <T extends IConstruct>(root: IConstruct, kind: new (...values: never[]) => T): T[] =>
  root.node.findAll().filter((node): node is IConstruct & T => node instanceof kind)

/** A literal value; undefined if it is known only when Terraform runs. */
export const literal = (value: string | undefined): string | undefined =>
  value !== undefined && isKnown(value) ? value : undefined

/** Groups things by a value; those without one are left out. */
const groups = <T>(things: readonly T[], by: (thing: T) => string | undefined): T[][] => {
  const found = new Map<string, T[]>()
  for (const thing of things) {
    const key = by(thing)
    if (key === undefined) continue
    const group = found.get(key)
    if (group === undefined) found.set(key, [thing])
    else group.push(thing)
  }
  return [...found.values()]
}

/**
 * All pairs of resources of an app that have a value in common and are not both outside of a stack: each stack is
 * compared with all others, and only after its own aspects, which may change it.
 */
export const pairsOf = <T extends TerraformResource>(
  stack: TerraformStack,
  kind: new (...values: never[]) => T,
  by: (resource: T) => string | undefined,
): (readonly [T, T])[] => {
  const isInside = (resource: T): boolean => TerraformStack.of(resource) === stack
  return groups(all(stack.node.root, kind), by).flatMap((group) => {
    const inside = new Set(group.filter(isInside))
    return inside.size === 0
      ? []
      : group.flatMap((one, index) =>
          group
            .slice(0, index)
            .filter((earlier) => inside.has(one) || inside.has(earlier))
            .map((earlier) => [one, earlier] as const),
        )
  })
}

/** Resources at different addresses are never the same, whatever their ids are. */
export const sameInstallation = (a: TerraformResource, b: TerraformResource): boolean =>
  sameAddress(addressOf(a), addressOf(b))

export const sameAddress = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other

/** The literal address of a resource's provider, its own or its stack's. */
const addressOf = (resource: TerraformResource): string | undefined => addressIn(resource, resource.provider)

export const addressIn = (construct: IConstruct, own: unknown): string | undefined => {
  const provider =
    own ??
    TerraformStack.of(construct)
      .node.findAll()
      .find((node) => node instanceof DeploymgmtProvider && node.alias === undefined)
  return provider instanceof DeploymgmtProvider ? literal(provider.baseUrlInput) : undefined
}
