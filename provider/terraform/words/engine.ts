import { configurationSpelling } from '../../core/index.ts'
import { parseAddress } from '../../engine/index.ts'
import { eventsLeftUnread, fewOf, sayElements, wordsOf, type DoorWords } from '../../words/index.ts'
import { attributeName } from '../codec/names.ts'

/** The engine's reasons in the words of this door. */

const FORGET = 'terraform state rm forgets it here'
const GONE_PERHAPS =
  'Check it at the service. If it is gone, a destroy or terraform state rm takes it out of the state.'

const DOOR: DoorWords = {
  says: {
    'candidate-not-told': ({ id }) =>
      `an event names ${id}, but its answers do not show whether it is the one. Look at it, and import it if it is`,
    // Terraform shows the address of a resource, but one of several things has none.
    'deletes-unlisted': ({ address }) =>
      `${parseAddress(address).keys.at(-1) ?? ''} would be deleted because it is not listed`,
    'event-about-undeclared': () => `an event is about attributes that are not configured here`,
    'events-left-unread': eventsLeftUnread,
    'exists-id-unknown': ({ name, ids }) =>
      ids.length === 0
        ? `an event shows that ${name} exists, but no event contains its id. Find it by hand, and import it`
        : `an event shows that ${name} exists, and that its id is ${ids.join(' or ')}. Look at it, and import it`,
    'nowhere-to-look': () => `events could not be read: set org_id in the provider's configuration`,
    'strangers-there': ({ ids }) => `events say that this key made ${fewOf(ids)}, which no state has`,
    'renamed-and-edited': ({ from, to }) =>
      `${to} would create anew what ${from} releases; if it is the same under another name, a moved block keeps it`,
    'target-meets-nothing': ({ glob }) => `${glob} matches nothing that is configured or recorded`,
    // What is destroyed to be replaced is still declared.
    'undeclared-ended': () => 'it has ended; nothing is sent',
    'kept-in-answer': ({ kept }, spelling) =>
      `still in the answer after its removal: ${kept.map(({ field, elements }) => `${attributeName(field)}: ${sayElements(elements, spelling)}`).join(', ')}. By hand: remove it at the service, then apply again`,
  },
  steps: {
    'not-found': GONE_PERHAPS,
    'beside-strangers': `Import each, or let it end.`,
    'declared-id-not-found':
      'Check its id. If it was imported and no longer exists, remove it from the state with terraform state rm.',
    'place-missing': 'Check the id, or remove the resource if the project or organization no longer exists.',
    'create-only':
      'Put the old value back, or change it by hand at the service, forget the resource with terraform state rm, and import it.',
    'kept-after-removal': 'By hand: remove it at the service, then apply again; or configure it again.',
    'ended-or-prolonged': `Look at it at the service. Destroying the resource ends it; ${FORGET} and leaves it as it is.`,
    'undeclared-protected': `Configure it again without protect and apply; ${FORGET}.`,
    'undeclared-kept': `By hand: remove it at the service; ${FORGET}.`,
  },
}

/** The engine's reasons in the words of diagnostics. */
export const words = wordsOf(DOOR, configurationSpelling)
