import { RULES, type Rule } from '../wording/findings.ts'

interface Told {
  readonly name: string
  readonly short: string
  /** What it means, and what to do. */
  readonly help: string
}

const TOLD: Readonly<Record<Rule, Told>> = {
  drifted: {
    name: 'FieldDrifted',
    short: 'A field is no longer as it was last applied.',
    help: 'The service shows another value than the last apply wrote: somebody has changed it outside. Undo it with deploymgmt apply, or keep it by declaring the new value and applying that.',
  },
  'not-found': {
    name: 'NotFound',
    short: 'A managed thing is gone at the service.',
    help: 'The service no longer knows it. Look at the service; deploymgmt plan says whether an apply can make it again. deploymgmt state forget drops the record of what is meant to be gone.',
  },
  'acceptance-ended': {
    name: 'AcceptanceEnded',
    short: 'A drift was accepted until a day that is over.',
    help: 'It was accepted for a time, with a reason, and counts again. Undo it with deploymgmt apply, accept it anew with deploymgmt drift accept, or keep it by declaring the new value.',
  },
  'event-since': {
    name: 'EventSince',
    short: 'Somebody has changed a thing that no endpoint shows.',
    help: 'An event that is not our own is about it since the last write, and no endpoint shows its values. deploymgmt apply writes the declared values again; deploymgmt state accept says that the event is fine.',
  },
  'pending-late': {
    name: 'PendingLate',
    short: 'What is declared should be applied by now, and is not.',
    help: 'It is declared, and no apply has made it so: an apply failed, or has not run. Run deploymgmt apply and read what it says.',
  },
  'to-be-settled': {
    name: 'ToBeSettled',
    short: 'The outcome of an earlier request is unknown until an apply settles it.',
    help: 'A request left, and no answer came back that tells. The next deploymgmt apply finds out what became of it.',
  },
  unmanaged: {
    name: 'DeclaredByNobody',
    short: 'Something is there that nobody declares.',
    help: 'Somebody has made it at the service, in a project or an organization that the manifest names. Declare it, remove it at the service, or name it as known in the manifest, under unmanaged.',
  },
}

/** The rules of the SARIF log, in the order in which results refer to them. */
export const SARIF_RULES = RULES.map((id) => {
  const { name, short, help } = TOLD[id]
  return {
    id,
    name,
    shortDescription: { text: short },
    fullDescription: { text: `${short} ${help}` },
    help: { text: help },
    defaultConfiguration: { level: id === 'unmanaged' ? 'note' : 'warning' },
  }
})
