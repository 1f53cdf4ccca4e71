import type { KindDefinition } from '../../core/definition.ts'
import type { Identity, Values } from '../../core/values.ts'
import { thingIn, type Observations } from '../read/observe.ts'

/** What an entry's selector says of the things that it stands for; empty if it has none. */
export const whatSelected = ({ adoption, expand }: KindDefinition, values: Values): string => {
  const selector = values[expand.members?.by ?? ''] as Values | undefined
  return selector === undefined ? '' : adoption.about(selector)
}

/** What a thing is, for a person, as far as it was read; empty otherwise. */
export const whatLive = (
  definition: KindDefinition,
  identity: Identity,
  observed: Pick<Observations, 'things' | 'scopes'>,
): string => {
  const thing = thingIn(observed, definition, identity)
  return typeof thing === 'object' ? definition.adoption.about({ ...thing.raw, ...thing.values }) : ''
}
