import { parseAddress, type Actor } from '@deploymgmt/provider/engine'
import { shellWord } from '../text/display.ts'
import { showValue } from '../text/values.ts'
import type { SaidDrift, WayOut } from './document.ts'
import { placeOf } from './sentences.ts'

/** What ways out are made from, besides the drift itself. */
export interface WaysFacts {
  /** What a later command has to be given to mean the same; with a blank before each. */
  readonly sameFlags: string
  /** The change of the manifest that makes a declaration say what is live; nothing where none can be made safely. */
  readonly patchFor: (drift: SaidDrift) => string | undefined
}

/** A drift with what its confidence means, and how to undo or keep it. Undo asserts what is declared. */
export const withWaysOut = (drift: SaidDrift, facts: WaysFacts): SaidDrift => {
  if (drift.verdict !== 'drifted') return drift
  const target = `--target ${shellWord(drift.address)}${facts.sameFlags}`
  const likelihood = drift.actor === undefined ? undefined : LIKELIHOOD[drift.actor.confidence]
  const said = likelihood === undefined ? drift : { ...drift, likelihood }
  if (drift.declared === 'as live')
    return {
      ...said,
      undo: { text: `declare what it was${atPlace(drift)}` },
      keep: { command: `deploymgmt apply ${target}`, text: 'it is declared as it is now: this records it' },
    }
  return { ...said, undo: undoOf(drift, target), keep: keepOf(drift, facts) }
}

const LIKELIHOOD: Readonly<Record<Actor['confidence'], string | undefined>> = {
  high: undefined,
  medium: 'likely: several events are about it, or none is about just what has changed',
  low: 'perhaps: an event is about the thing, and none tells what was changed',
}

const atPlace = ({ declaredAt }: SaidDrift): string => {
  const place = placeOf(declaredAt)
  return place === undefined ? '' : ` at ${place}`
}

const undoOf = ({ byHand, fields }: SaidDrift, target: string): WayOut => {
  if (byHand !== undefined) return { text: byHand }
  // Where no field says what would be sent, only a plan tells whether this API can undo it.
  return fields.length === 0
    ? { command: `deploymgmt plan ${target}`, text: 'it shows whether this API can undo it' }
    : { command: `deploymgmt apply ${target}` }
}

/** Keep makes the declaration, or the record, say what is live. */
const keepOf = (drift: SaidDrift, { sameFlags, patchFor }: WaysFacts): WayOut => {
  const { address, reasonCode, declaredAt, fields, evidence } = drift
  const named = `${shellWord(address)}${sameFlags}`
  if (reasonCode === 'not-found') return { command: `deploymgmt state forget ${named}` }
  const place = placeOf(declaredAt)
  if (evidence.level !== 'read' || place === undefined)
    return { command: `deploymgmt state accept ${named}`, ...noteOf(drift) }
  // Nobody edits what a program wrote.
  if (/\.tf\.json:\d+$/.test(place)) return { text: `declare it so in the program that wrote ${place}` }
  // The entry stands for others too, which an edit of it would change as well.
  if (parseAddress(address).keys.length > 0)
    return { text: `declare it by itself; ${place} stands for others too` }
  const [field] = fields
  const isOne = fields.length === 1 && field !== undefined
  const patch = patchFor(drift)
  const isPlain = isOne && ['boolean', 'number'].includes(typeof field.after)
  const text =
    isPlain || (isOne && patch !== undefined)
      ? `set ${field.path}: ${showValue(field.after)} at ${place}`
      : `edit ${place}`
  return { text, ...(patch === undefined ? {} : { patch }) }
}

const noteOf = ({ evidence }: SaidDrift): Pick<WayOut, 'text'> =>
  evidence.level === 'suspect'
    ? { text: 'nothing shows what is there: keep leaves recorded what was last applied' }
    : {}
