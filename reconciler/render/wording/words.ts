import { configurationSpelling, manifestSpelling } from '@deploymgmt/provider/core'
import type { Reason, ReasonCode } from '@deploymgmt/provider/engine'
import {
  eventsLeftUnread,
  fewOf,
  sayElements,
  wordsOf,
  type DoorWords,
  type Words,
} from '@deploymgmt/provider/words'
import { commandAbout } from '../document/named-commands.ts'

/** The id to name in a command, if there is no choice. */
const onlyOf = ([first = 'ID', ...others]: readonly string[]): string => (others.length === 0 ? first : 'ID')

/** How the ids are told apart. */
const WHAT_EVENTS_TELL = 'deploymgmt adopt writes down what events tell of it'

/** @param flags with which a later command means the same state, each after a space */
const doorOf = (flags: string): DoorWords => {
  const accept = commandAbout('deploymgmt state accept', flags)
  const forget = commandAbout('deploymgmt state forget', flags)
  return {
    says: {
      'candidate-not-told': ({ id }) =>
        `an event names ${id}, but its answers do not show whether it is the one; the next apply asks it again`,
      'deletes-unlisted': ({ address }) => `${address} would be deleted because it is not listed`,
      'event-about-undeclared': () =>
        `an event is about fields that are not declared here; ${accept} settles it`,
      'events-left-unread': (facts, spelling) => {
        const left = eventsLeftUnread(facts, spelling)
        if (!facts.byRecords) return left
        return `${left}. Once somebody has looked at them, and a plan has nothing to do, deploymgmt state accept '*'${flags} lets reports begin later, and ends this warning`
      },
      'exists-id-unknown': ({ name, ids }) =>
        ids.length === 0
          ? `an event shows that ${name} exists, but no event contains its id. Find it by hand, and adopt it with --created`
          : `an event shows that ${name} exists, and that its id is ${ids.join(' or ')}. Look at it, and adopt it with --created`,
      'nowhere-to-look': () =>
        'it is not known in which organization to look for events: declare orgId, in the project or in defaults',
      'strangers-there': ({ field, ids }, spelling) =>
        `events say that this key made ${fewOf(ids)}, but the state does not record ${ids.length === 1 ? 'it' : 'them'}. If an older copy of the state was put back, restore the newest one. Otherwise adopt ${ids.length === 1 ? 'it' : 'each'} by its ${spelling.field(field)} (${WHAT_EVENTS_TELL}), name the state that records it under otherStates, or say that it is not ours: deploymgmt state disown ${onlyOf(ids)}${flags}, or for all of them at once: deploymgmt state disown --everything${flags}`,
      'renamed-and-edited': ({ from, to }) =>
        `${to} would create anew what ${from} releases. If it is the same under another name, deploymgmt state mv ${from} ${to}${flags} keeps the record, and a plan then changes it instead`,
      'target-meets-nothing': ({ glob }) => `--target ${glob} matches nothing that is declared or recorded`,
      'undeclared-ended': () => 'no longer declared, and it has ended by itself',
      'kept-in-answer': ({ kept }, spelling) =>
        `still in the answer after its removal: ${kept.map(({ field, elements }) => `${field}: ${sayElements(elements, spelling)}`).join(', ')}. By hand: remove it at the service, then ${accept}`,
    },
    steps: {
      'not-found': () =>
        `Look at the service; ${forget} drops the record of what is gone, ${accept} keeps what is there.`,
      'beside-strangers': ({ field, ids }, spelling) =>
        ids.length === 1
          ? `Adopt it by its ${spelling.field(field)}, ${ids[0]} (${WHAT_EVENTS_TELL}), or say that it is not ours: deploymgmt state disown ${ids[0]}${flags}`
          : `Adopt each by its ${spelling.field(field)} (${WHAT_EVENTS_TELL}), or say that it is not ours with deploymgmt state disown ID${flags}; they are ${fewOf(ids)}.`,
      'declared-id-not-found': ({ field }, spelling) =>
        `Check ${spelling.field(field)}; omit it only to create another one.`,
      'place-missing':
        'Check the id. If the place is gone, take the entry out, or only that project if the entry has others.',
      'create-only': () =>
        `By hand: change it at the service and then accept it with ${accept}; or put the old value back.`,
      'kept-after-removal': () => `By hand: remove it at the service, then ${accept}; or declare it again.`,
      'ended-or-prolonged': () =>
        `Look at it at the service. Removing it from the manifest ends it; ${accept} leaves it as it is.`,
      'undeclared-protected': (_, { field }) =>
        `Declare it again without ${field('protect')} and apply, or use ${forget}.`,
      'undeclared-kept': () => `By hand: remove it at the service, then ${forget}.`,
    },
  }
}

/** A stack spells fields as Terraform does, cannot adopt windows, and names no other states. */
const stackOf = (door: DoorWords, flags: string): DoorWords => ({
  says: {
    ...door.says,
    'nowhere-to-look': () =>
      'it is not known in which organization to look for events: set org_id of the provider',
    'strangers-there': ({ ids }) =>
      `events say that this key made ${fewOf(ids)}, but the state does not record ${ids.length === 1 ? 'it' : 'them'}. If an older copy of the state was put back, restore the newest one. Otherwise say that ${ids.length === 1 ? 'it is' : 'they are'} not of this stack: deploymgmt state disown ${onlyOf(ids)}${flags}, or all of them at once: deploymgmt state disown --everything${flags}`,
  },
  steps: {
    ...door.steps,
    'beside-strangers': ({ ids }) =>
      ids.length === 1
        ? `Say that it is not of this stack: deploymgmt state disown ${ids[0]}${flags}`
        : `Say that each is not of this stack with deploymgmt state disown ID${flags}; they are ${fewOf(ids)}.`,
  },
})

/**
 * Without a state, everything that the key has created is a stranger, and none of it should be disowned for that.
 */
const statelessOf = (door: DoorWords, flags: string): DoorWords => ({
  says: {
    ...door.says,
    'strangers-there': ({ ids }) =>
      `events say that this key made ${fewOf(ids)}, and no state was found that records ${ids.length === 1 ? 'it' : 'them'}. If the state is lost or its place is misspelt, restore it or name the right place. If there has never been one, begin with: deploymgmt state init${flags}`,
  },
  steps: {
    ...door.steps,
    'beside-strangers': () =>
      `Name the place where the state is, or restore it. If there has never been one, begin with: deploymgmt state init${flags}`,
  },
})

/** The words for a request that needs nobody any more; only evidence settles a request. */
const FOUND: Partial<Record<ReasonCode, string>> = {
  'told-by-next-reading': 'Looked at',
  'can-be-sent-again': 'To be sent again',
}

/** What became of a request whose answer was lost, and by which evidence. */
export const saySettled = (
  { address, how }: { readonly address: string; readonly how: Reason },
  { says }: Words,
): string => `${FOUND[how.code] ?? 'Settled'}: ${address}: ${says(how)}`

/** What the words of the command depend on, besides the names of projects. */
interface Circumstances {
  readonly hasState?: boolean
  /** The flags, each after a space, with which an advised command means the same state. */
  readonly sameFlags?: string
  /** Whether a program has written the declaration. */
  readonly isWritten?: boolean
}

/** The engine's reasons in the words of the command, with projects by their names in the manifest. */
export const commandWords = (
  projectNames: ReadonlyMap<string, string> = new Map(),
  { hasState = true, sameFlags = '', isWritten = false }: Circumstances = {},
): Words => {
  const common = doorOf(sameFlags)
  const door = isWritten ? stackOf(common, sameFlags) : common
  const inManifest = manifestSpelling((field, id) =>
    field === 'projectId' ? projectNames.get(id) : undefined,
  )
  const { field, setting } = isWritten ? configurationSpelling : inManifest
  return wordsOf(hasState ? door : statelessOf(door, sameFlags), { ...inManifest, field, setting })
}
