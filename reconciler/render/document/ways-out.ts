import { parseAddress, sectionOf } from '@deploymgmt/provider/engine'
import { shellWord } from '../../text/display.ts'
import { ofField } from './field-type.ts'
import { showValue } from '../../text/values.ts'
import type { DriftDocument, SaidDrift, WayOut } from './drift-model.ts'
import { isGone } from './gone.ts'
import { placeOf, placeParts } from './places.ts'
import { likelihoodOf } from './sureness.ts'

/** What ways out are made from, besides the drift itself. */
export interface WaysFacts {
  /** What a later command has to be given to mean the same; with a blank before each. */
  readonly sameFlags: string
  /** The change of the manifest that makes declarations say what is live; nothing where none can be made safely. */
  readonly patchFor: (drifts: readonly SaidDrift[]) => string | undefined
  /** Where its entry says a field itself, as `FILE:LINE:COLUMN`; nothing where it does not. */
  readonly saidAt: (drift: SaidDrift, field: string) => string | undefined
  /** What an entry refers to for a field that it says itself, and where that stands; nothing where it says the value. */
  readonly comesFrom: (drift: SaidDrift, field: string) => string | undefined
  /** Whether the entry of an address stands for nothing else at present. */
  readonly isAlone: (address: string) => boolean
  /** Whether the entry of an address is a selector that stands for what is added later, too. */
  readonly isForLater: (address: string) => boolean
  /** How an entry that lists what may be there is made to list this too; nothing where its entry is none. */
  readonly listed: (drift: SaidDrift) => string | undefined
  /** An entry that declares by itself what a selector has found, ready to paste; nothing where none can. */
  readonly ownEntry: (drift: SaidDrift) => string | undefined
  /** What leaves the place of a thing out of its entry, where nothing is left there that it stands for. */
  readonly leavesOut: (address: string) => string | undefined
}

/** A report with what the confidence in each drift means, and how to undo or keep it. */
export const withWaysOut = <T extends Pick<DriftDocument, 'resources' | 'accepted' | 'patch'>>(
  document: T,
  facts: WaysFacts,
): T => {
  const { resources, accepted } = document
  const accepting = Map.groupBy(accepted ?? [], ({ address }) => address)
  const besides = ({ address, acceptance }: SaidDrift): string[] =>
    acceptance === undefined
      ? (accepting.get(address) ?? []).flatMap(({ fields }) => fields.map(({ path }) => path))
      : []
  const withWays = (drifts: readonly SaidDrift[]): SaidDrift[] =>
    drifts.map((each) => withWaysOf(each, besides(each), facts))
  const said = withWays(resources)
  // Patches of lines near one another do not fit one after the other.
  const patch = facts.patchFor(said.filter(({ keep }) => keep?.patch !== undefined))
  return {
    ...document,
    resources: said,
    ...(patch === undefined ? {} : { patch }),
    ...(accepted === undefined ? {} : { accepted: withWays(accepted) }),
  }
}

/** Undo asserts what is declared, also in the fields besides that are accepted. */
const withWaysOf = (drift: SaidDrift, besides: readonly string[], facts: WaysFacts): SaidDrift => {
  if (drift.verdict !== 'drifted') return drift
  // What applies takes the address under which it is declared; what changes the record, that of the record.
  const target = `--target ${shellWord(declaredAddress(drift))}${facts.sameFlags}`
  const [likelihood] = [drift, ...drift.fields].flatMap(
    ({ actor }) => likelihoodOf(actor?.confidence ?? 'high') ?? [],
  )
  const said = likelihood === undefined ? drift : { ...drift, likelihood }
  if (drift.declared === 'as live')
    return {
      ...said,
      undo: { text: `declare what it was${atPlace(drift, facts)}` },
      keep: { command: `deploymgmt apply ${target}`, text: 'it is declared as it is now: this records it' },
    }
  if (isGoneAndTakenOut(drift)) return { ...said, undo: putBackByHand(drift, target), keep: dropped(target) }
  if (isTakenOut(drift))
    return { ...said, undo: putBack(drift, target), keep: keepTakenOut(drift, facts, target) }
  return { ...said, undo: undoOf(drift, besides, target), keep: keepOf(drift, facts) }
}

const isTakenOut = ({ declaredAt, movedTo, fields }: SaidDrift): boolean =>
  declaredAt === undefined && movedTo === undefined && fields.length > 0

/** Nothing is sent for what was read not to be there and nothing declares: an apply drops its record. */
const isGoneAndTakenOut = (drift: SaidDrift): boolean =>
  isGone(drift) &&
  drift.evidence.level === 'read' &&
  drift.declaredAt === undefined &&
  drift.movedTo === undefined

const putBackByHand = ({ byHand }: SaidDrift, target: string): WayOut =>
  byHand === undefined
    ? { command: `deploymgmt plan ${target}`, text: PUT_BACK }
    : { text: `${PUT_BACK}. ${byHand}` }

const dropped = (target: string): WayOut => ({
  command: `deploymgmt apply ${target}`,
  text: 'it is no longer declared: this drops its record',
})

const PUT_BACK = 'it is no longer declared: put its entry back first'

/** An apply releases what nothing declares: it asserts nothing of it. */
const putBack = ({ edited }: SaidDrift, target: string): WayOut => ({
  command: `deploymgmt apply ${target}`,
  text:
    edited?.reasonCode === 'means-another' ? `${edited.reason}: let it mean this one again first` : PUT_BACK,
})

/** Of what was read nothing has to be accepted: the record that would say what is live ends with the release. */
const keepTakenOut = (drift: SaidDrift, facts: WaysFacts, target: string): WayOut =>
  drift.evidence.level === 'read'
    ? {
        command: `deploymgmt plan ${target}`,
        text: 'it shows what an apply makes of what is no longer declared',
      }
    : keepOf(drift, facts)

const atPlace = (drift: SaidDrift, facts: WaysFacts): string => {
  const place = placeToEdit(drift, facts)
  return place === undefined ? '' : ` at ${place}`
}

/** Where its values are edited: at the entry, or where a later file says them. */
const placeToEdit = (drift: SaidDrift, { saidAt }: WaysFacts): string | undefined => {
  const { declaredAt, fields } = drift
  if (declaredAt === undefined) return undefined
  const { file } = placeParts(declaredAt)
  const places = fields.map(({ path }) => saidAt(drift, path) ?? declaredAt)
  const isElsewhere = places.length > 0 && places.every((place) => placeParts(place).file !== file)
  return placeOf(isElsewhere ? places[0] : declaredAt)
}

const undoOf = (
  { byHand, fields, protectedFields }: SaidDrift,
  besides: readonly string[],
  target: string,
): WayOut => {
  if (byHand !== undefined) return { text: byHand }
  // Where no field says what would be sent, only a plan tells whether this API can undo it.
  if (fields.length === 0)
    return { command: `deploymgmt plan ${target}`, text: 'it shows whether this API can undo it' }
  const texts = [
    ...(protectedFields === undefined
      ? []
      : [`protect: true stands in the way of ${protectedFields.join(', ')}: take it out first`]),
    // A target is an address: no apply asserts one field alone.
    ...(besides.length === 0
      ? []
      : [`it undoes ${besides.join(', ')} too, which ${besides.length === 1 ? 'is' : 'are'} accepted`]),
  ]
  return {
    command: `deploymgmt apply ${target}`,
    ...(texts.length === 0 ? {} : { text: texts.join('; ') }),
  }
}

/** Keep makes the declaration, or the record, say what is live. */
const keepOf = (drift: SaidDrift, facts: WaysFacts): WayOut => {
  const { sameFlags, patchFor } = facts
  const { address, kind, declaredAt, fields, evidence } = drift
  const named = `${shellWord(address)}${sameFlags}`
  const place = placeOf(declaredAt)
  if (isGone(drift)) return keepGone(drift, facts, `deploymgmt state forget ${named}`)
  if (evidence.level !== 'read' || place === undefined)
    return { command: `deploymgmt state accept ${named}`, ...noteOf(drift) }
  // Nobody edits what a program wrote.
  if (isWritten(place)) return { text: `declare it so in the program that wrote ${place}` }
  const listed = facts.listed(drift)
  if (listed !== undefined) return { text: `${listed} at ${place}` }
  // The entry stands for others too, which an edit of it would change as well.
  if (hasOthers(drift, facts)) {
    const own = facts.ownEntry(drift)
    const add = own === undefined ? '' : `: add ${own} to ${sectionOf(address)}`
    return { text: `declare it by itself${add}; ${place} stands for others too` }
  }
  const [field] = fields
  const isOne = fields.length === 1 && field !== undefined
  const patch = patchFor([drift])
  const toEdit = placeToEdit(drift, facts) ?? place
  const isPlain = isOne && ['boolean', 'number'].includes(typeof field.after)
  const later = facts.isForLater(declaredAddress(drift)) ? FOR_LATER : ''
  // What says its value itself can mostly be patched, and need not be looked at again.
  const from = isOne && patch === undefined ? facts.comesFrom(drift, field.path) : undefined
  const referring = from === undefined ? '' : `, which takes it from ${from}`
  const text =
    isPlain || (isOne && patch !== undefined)
      ? `set ${field.path}: ${showValue(field.after, ofField({ kind }, field.path))} at ${toEdit}${referring}${later}`
      : `edit ${toEdit}${referring}${later}`
  return patch === undefined ? { text: `${text}${isOutside(toEdit) ? OUTSIDE : ''}` } : { text, patch }
}

const FOR_LATER = ' (it stands for what is added later, too)'

/** `git apply` takes no path that leads out of its folder. */
const isOutside = (place: string): boolean => /^(?:[/\\]|\.\.[/\\]|[A-Za-z]:[/\\])/.test(place)
const OUTSIDE = '; there is no patch of a file outside this folder: run drift in a folder above it for one'

const declaredAddress = ({ address, movedTo }: SaidDrift): string => movedTo ?? address

const hasOthers = (drift: SaidDrift, { isAlone }: WaysFacts): boolean => {
  const address = declaredAddress(drift)
  return parseAddress(address).keys.length > 0 && !isAlone(address)
}

const isWritten = (place: string): boolean => /\.tf\.json:\d+$/.test(place)

/** What is gone stays so where nothing declares it any more, and nothing records it. */
const keepGone = (drift: SaidDrift, facts: WaysFacts, forget: string): WayOut => {
  const { declaredAt, evidence, allowedBy } = drift
  const place = placeOf(declaredAt)
  if (place === undefined) return { command: forget }
  const where = isWritten(place) ? `in the program that wrote ${place}` : `at ${place}`
  const leavesOut = facts.leavesOut(declaredAddress(drift))
  if (leavesOut !== undefined && evidence.level === 'read' && !isWritten(place))
    return {
      text: `${leavesOut}, ${where}${allowedBy === undefined ? '' : `; or set ${allowedBy}: true there`}`,
    }
  const text = hasOthers(drift, facts)
    ? `take it out ${where} where that names it; others stand there too`
    : `take it out ${where}${allowedBy === undefined ? '' : `, or set ${allowedBy}: true there`}`
  // What was read is known to be gone: a plan of what declares it no more has nothing to do.
  return evidence.level === 'read' ? { text } : { command: forget, text: `${text} as well` }
}

const noteOf = ({ evidence }: SaidDrift): Pick<WayOut, 'text'> =>
  evidence.level === 'suspect' ? { text: 'no endpoint shows it; the record keeps what was last applied' } : {}
