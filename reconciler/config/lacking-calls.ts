import {
  fillSentence,
  isNone,
  manifestSpelling,
  type KindDefinition,
  type None,
  type Values,
} from '@deploymgmt/provider/core'

/**
 * Why an entry has no field of this name, where that asks for what the API has no call for: the definition's
 * own reason and manual step, since nothing that could be declared would ever be blocked with them.
 */
export const lackingCall = (
  kinds: readonly KindDefinition[],
  kind: KindDefinition,
  name: string,
  values: Values,
): string | undefined => {
  const word = wordFor(kinds, kind, name)
  if (word === undefined) return undefined
  const step = fillSentence(word.byHand ?? '', values, manifestSpelling())
  // A place that is not known here is better left out than shown as a gap.
  return step === '' || /\{\w+\}/.test(step) ? word.none : `${word.none}. ${step}`
}

const wordFor = (
  kinds: readonly KindDefinition[],
  { identity, establish, absence, write }: KindDefinition,
  name: string,
): None | undefined => {
  if (isNone(absence) && kinds.some(({ expand }) => expand.ensures?.field === name)) return absence
  if (isNone(establish.adopt) && name === identity.key) return establish.adopt
  return isNone(write) ? write : undefined
}
