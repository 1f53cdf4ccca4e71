import { camelToSnake, type Spelling } from '../core/index.ts'
import { wordsOf, type DoorWords } from '../words/index.ts'

/** As configurations spell it: `roles_complete = true`. */
export const spelling: Spelling = {
  field: camelToSnake,
  setting: (name, value) =>
    `${camelToSnake(name)} = ${/^(?:true|false|\d+)$/.test(value) ? value : `"${value}"`}`,
  nameOf: () => undefined,
}

const FORGET = 'terraform state rm forgets it here'

const DOOR: DoorWords = {
  says: {
    'event-about-undeclared': () => `an event is about attributes that are not configured here`,
    'target-meets-nothing': ({ glob }) => `${glob} meets nothing that is configured or recorded`,
    'kept-in-answer': ({ kept }) =>
      `still in the answer after its removal: ${kept.map(({ field, elements }) => `${camelToSnake(field)}: ${elements.join('; ')}`).join(', ')}. By hand: remove it at the service, then apply again`,
  },
  steps: {
    'place-missing': 'Check the id; or take the resource out if the place is gone.',
    'create-only': `By hand: change it at the service; or put the old value back.`,
    'kept-after-removal': 'By hand: remove it at the service, then apply again; or configure it again.',
    'ended-or-prolonged': `Look at it at the service. Destroying the resource ends it; ${FORGET} and leaves it as it is.`,
    'undeclared-protected': `Configure it again without protect and apply; ${FORGET}.`,
    'undeclared-kept': `By hand: remove it at the service; ${FORGET}.`,
  },
}

/** The engine's reasons as diagnostics say them. */
export const words = wordsOf(DOOR, spelling)
