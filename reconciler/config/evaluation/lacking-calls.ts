import {
  fillSentence,
  isNone,
  manifestSpelling,
  type KindDefinition,
  type None,
  type Spelling,
  type Values,
} from '@deploymgmt/provider/core'

/**
 * Why an entry has no such field, if the API has no call for its purpose: the definition's own reason and manual
 * step. They have to be shown here, because such a field can never be declared and so never be blocked. Fields that
 * choose things are handled elsewhere.
 */
export const lackingCall = (
  kinds: readonly KindDefinition[],
  kind: KindDefinition,
  name: string,
  values: Values,
): string | undefined => {
  const chooser = chooserOf(kind, name)
  if (chooser !== undefined && values[kind.identity.declaredAs] === undefined)
    return `in ${chooser} it selects them`
  const word = wordFor(kinds, kind, name)
  return word === undefined ? undefined : withStep(word, values, manifestSpelling())
}

/** A reason with its manual step. The step is left out if a place in it is unknown. */
export const withStep = ({ none: why, byHand = '' }: None, values: Values, spelling: Spelling): string => {
  const step = fillSentence(byHand, values, spelling)
  return step === '' || /\{\w+\}/.test(step) ? why : `${why}. ${step}`
}

/** The field that chooses things by this name, if there is one. */
const chooserOf = ({ expand: { members }, fields }: KindDefinition, name: string): string | undefined => {
  const type = members && fields[members.by]?.type
  return type?.is === 'object' && Object.hasOwn(type.fields, name) ? members?.by : undefined
}

const wordFor = (
  kinds: readonly KindDefinition[],
  { identity, establish, absence, write, fixed }: KindDefinition,
  name: string,
): None | undefined => {
  if (isNone(absence) && kinds.some(({ expand }) => expand.ensures?.field === name)) return absence
  if (isNone(establish.adopt) && name === identity.key) return establish.adopt
  if (!isNone(fixed) && fixed.names.includes(name)) return fixed.because
  return isNone(write) ? write : undefined
}
