import { configurationSpelling, manifestSpelling } from '@deploymgmt/provider/core'
import { entryOf, parseAddress, sectionOf } from '@deploymgmt/provider/engine'
import { likelihoodOf } from '@deploymgmt/provider/words'
import { shellWord } from '../../text/display.ts'
import { ofField } from './field-type.ts'
import { showValue } from '../../text/values.ts'
import { type DriftDocument, type ReportedDrift, type WayOut, isGone, isToldGone } from './drift-model.ts'
import { fileAndLine, placeParts } from './places.ts'

/** The facts from which ways out are made, besides the drift. */
export interface WaysFacts {
  /** The flags, each after a space, with which a later command means the same. */
  readonly sameFlags: string
  /** The edit of the manifest after which it declares the live values; undefined if it cannot be made safely. */
  readonly patchFor: (drifts: readonly ReportedDrift[]) => string | undefined
  /** Where its entry declares a field itself, as `FILE:LINE:COLUMN`; undefined if it does not. */
  readonly saidAt: (drift: ReportedDrift, field: string) => string | undefined
  /** The reference in the entry's own value for a field, and its position; undefined if the value is a literal. */
  readonly comesFrom: (drift: ReportedDrift, field: string) => string | undefined
  /** Whether the entry of an address is declared, whatever it stands for by now. */
  readonly isDeclared: (address: string) => boolean
  /** Whether the entry of an address has no other instance at present. */
  readonly isAlone: (address: string) => boolean
  /** Whether the entry of an address is a selector that also covers future things. */
  readonly isForLater: (address: string) => boolean
  /** How to add this thing to its only-list; undefined if its entry is none. */
  readonly listed: (drift: ReportedDrift) => string | undefined
  /** A separate entry for a thing that a selector has found, ready to paste; undefined if there can be none. */
  readonly ownEntry: (drift: ReportedDrift) => string | undefined
  /** How to exclude the project of a thing from its entry, if the entry has no other instance there. */
  readonly leavesOut: (address: string) => string | undefined
}

/** A report with explanations of confidence, and how to undo or keep each drift. */
export const withWaysOut = <T extends Pick<DriftDocument, 'resources' | 'accepted' | 'patch'>>(
  document: T,
  facts: WaysFacts,
): T => {
  const { resources, accepted } = document
  const accepting = Map.groupBy(accepted ?? [], ({ address }) => address)
  const besides = ({ address, acceptance }: ReportedDrift): string[] =>
    acceptance === undefined
      ? (accepting.get(address) ?? []).flatMap(({ fields }) => fields.map(({ path }) => path))
      : []
  const withWays = (drifts: readonly ReportedDrift[]): ReportedDrift[] =>
    drifts.map((each) => withWaysOf(each, besides(each), facts))
  const said = withWays(resources)
  // Combined, because patches of nearby lines cannot be applied one after the other.
  const patch = facts.patchFor(said.filter(({ keep }) => keep?.patch !== undefined))
  return {
    ...document,
    resources: said,
    ...(patch === undefined ? {} : { patch }),
    ...(accepted === undefined ? {} : { accepted: withWays(accepted) }),
  }
}

/** Undo asserts all declared values, including fields whose drift is accepted. */
const withWaysOf = (drift: ReportedDrift, besides: readonly string[], facts: WaysFacts): ReportedDrift => {
  if (drift.verdict !== 'drifted') return drift
  const target = targeting([drift], facts.sameFlags)
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
  const isThere = facts.isDeclared(drift.address)
  if (isGoneAndTakenOut(drift))
    return { ...said, undo: putBackByHand(drift, isThere, target), keep: dropped(isThere, target) }
  if (isTakenOut(drift))
    return {
      ...said,
      undo: putBack(drift, isThere, target),
      keep: keepTakenOut(drift, facts, { isThere, target }),
    }
  return { ...said, undo: undoOf(drift, besides, target), keep: keepOf(drift, facts) }
}

const isTakenOut = (drift: ReportedDrift): boolean => {
  const { declaredAt, movedTo, fields } = drift
  return declaredAt === undefined && movedTo === undefined && (fields.length > 0 || isToldGone(drift))
}

/** For a thing that was read as gone and is no longer declared, an apply sends nothing, and drops the record. */
const isGoneAndTakenOut = (drift: ReportedDrift): boolean =>
  isGone(drift) &&
  drift.evidence.level === 'read' &&
  drift.declaredAt === undefined &&
  drift.movedTo === undefined

const putBackByHand = ({ byHand }: ReportedDrift, isThere: boolean, target: string): WayOut => {
  const text = isThere ? 'its entry stands for it again once it is there' : PUT_BACK
  return byHand === undefined
    ? { command: `deploymgmt plan ${target}`, text }
    : { text: `${text}. ${byHand}` }
}

const dropped = (isThere: boolean, target: string): WayOut => ({
  command: `deploymgmt apply ${target}`,
  text: `${left(isThere)}: this drops its record`,
})

const PUT_BACK = 'it is no longer declared: put its entry back first'

/** Why no apply asserts it: its entry was taken out, or is there and means other things by now. */
const left = (isThere: boolean): string =>
  isThere ? 'its entry no longer stands for it' : 'it is no longer declared'

/** An apply releases what is no longer declared, and asserts nothing. */
const putBack = ({ edited }: ReportedDrift, isThere: boolean, target: string): WayOut => {
  const command = `deploymgmt apply ${target}`
  if (edited?.reasonCode === 'means-another')
    return { command, text: `${edited.reason}: let it mean this one again first` }
  return isThere
    ? { text: `${left(isThere)}: an apply releases it, and asserts nothing` }
    : { command, text: PUT_BACK }
}

/** If the values were read, nothing has to be accepted: the record with the old values ends with the release. */
const keepTakenOut = (
  drift: ReportedDrift,
  facts: WaysFacts,
  { isThere, target }: { readonly isThere: boolean; readonly target: string },
): WayOut =>
  drift.evidence.level === 'read'
    ? {
        command: `deploymgmt plan ${target}`,
        text: `${left(isThere)}: the plan shows what an apply does`,
      }
    : keepOf(drift, facts)

const atPlace = (drift: ReportedDrift, facts: WaysFacts): string => {
  const place = placeToEdit(drift, facts)
  return place === undefined ? '' : ` at ${place}`
}

/** Where its values are edited: in the entry, or in a later file that declares them. */
const placeToEdit = (drift: ReportedDrift, { saidAt }: WaysFacts): string | undefined => {
  const { declaredAt, fields } = drift
  if (declaredAt === undefined) return undefined
  const { file } = placeParts(declaredAt)
  const places = fields.map(({ path }) => saidAt(drift, path) ?? declaredAt)
  const isElsewhere = places.length > 0 && places.every((place) => placeParts(place).file !== file)
  return fileAndLine(isElsewhere ? places[0] : declaredAt)
}

const undoOf = (drift: ReportedDrift, besides: readonly string[], target: string): WayOut => {
  const { byHand, declaredAt, fields, protectedFields } = drift
  if (byHand !== undefined) return { text: byHand }
  if (isToldGone(drift))
    return { command: `deploymgmt apply ${target}`, text: 'its answer shows whether it is there' }
  // If no field shows what would be sent, only a plan can tell whether the API can undo it.
  if (fields.length === 0)
    return { command: `deploymgmt plan ${target}`, text: 'it shows whether this API can undo it' }
  const texts = [
    ...(protectedFields === undefined
      ? []
      : [`${protectIn(declaredAt)} stands in the way of ${protectedFields.join(', ')}: take it out first`]),
    // A target is an address: an apply cannot assert a single field.
    ...(besides.length === 0
      ? []
      : [`it undoes ${besides.join(', ')} too, which ${besides.length === 1 ? 'is' : 'are'} accepted`]),
  ]
  return {
    command: `deploymgmt apply ${target}`,
    ...(texts.length === 0 ? {} : { text: texts.join('; ') }),
  }
}

/** Keep makes the declaration, or the record, match the live values. */
const keepOf = (drift: ReportedDrift, facts: WaysFacts): WayOut => {
  const { address, declaredAt, evidence } = drift
  const named = `${shellWord(address)}${facts.sameFlags}`
  const place = fileAndLine(declaredAt)
  if (isGone(drift) || isToldGone(drift)) return keepGone(drift, facts, `deploymgmt state forget ${named}`)
  if (evidence.level !== 'read' || place === undefined)
    return { command: `deploymgmt state accept ${named}`, ...noteOf(drift) }
  // Output of a program is not edited.
  if (isWritten(place)) return { text: `declare it so in the program that wrote ${place}` }
  const listed = facts.listed(drift)
  if (listed !== undefined) return { text: `${listed} at ${place}` }
  return hasOthers(drift, facts)
    ? keepByItself(drift, facts, place)
    : keepByEdit(drift, facts, placeToEdit(drift, facts) ?? place)
}

/** The entry has other instances, which an edit would change as well. */
const keepByItself = (drift: ReportedDrift, { ownEntry }: WaysFacts, place: string): WayOut => {
  const own = ownEntry(drift)
  const add = own === undefined ? '' : `: add ${own} to ${sectionOf(drift.address)}`
  return {
    text: `declare it by itself${add}, ${besideOthers(place)}`,
    ...(own === undefined ? {} : { entry: own }),
  }
}

/** The same for several of one entry, whose own entries follow. */
export const keepEachByItself = ({ address, declaredAt }: ReportedDrift): string =>
  `declare each by itself, in ${sectionOf(address)}, ${besideOthers(fileAndLine(declaredAt) ?? '')}:`

const besideOthers = (place: string): string => `beside ${place}, which stands for others too`

const keepByEdit = (drift: ReportedDrift, facts: WaysFacts, place: string): WayOut => {
  const patch = facts.patchFor([drift])
  const later = facts.isForLater(declaredAddress(drift)) ? FOR_LATER : ''
  const text = `${editOf(drift, facts, { place, isPatched: patch !== undefined })}${later}`
  return patch === undefined ? { text: `${text}${isOutside(place) ? OUTSIDE : ''}` } : { text, patch }
}

/** Names the value to set if a single field has drifted, and the value is short or its edit is shown as a patch. */
const editOf = (
  drift: ReportedDrift,
  { comesFrom }: WaysFacts,
  { place, isPatched }: { readonly place: string; readonly isPatched: boolean },
): string => {
  const [field, ...others] = drift.fields
  if (field === undefined || others.length > 0) return `edit ${place}`
  const { path, after } = field
  // Literal values can mostly be patched, and need no reference.
  const from = isPatched ? undefined : comesFrom(drift, path)
  const referring = from === undefined ? '' : `, which takes it from ${from}`
  const isShown = isPatched || ['boolean', 'number'].includes(typeof after)
  const edit = isShown ? `set ${path}: ${showValue(after, ofField({ kind: drift.kind }, path))} at` : 'edit'
  return `${edit} ${place}${referring}`
}

const FOR_LATER = ' (it stands for what is added later, too)'

/** `git apply` takes no path that leads out of its folder. */
const isOutside = (place: string): boolean => /^(?:[/\\]|\.\.[/\\]|[A-Za-z]:[/\\])/.test(place)
const OUTSIDE = '; there is no patch of a file outside this folder: run drift in a folder above it for one'

/** An apply takes the declared address; commands that change the record take the address of the record. */
const declaredAddress = ({ address, movedTo }: ReportedDrift): string => movedTo ?? address

const targeting = (drifts: readonly ReportedDrift[], sameFlags: string): string =>
  `${drifts.map((drift) => `--target ${shellWord(declaredAddress(drift))}`).join(' ')}${sameFlags}`

/** The apply that undoes these. */
export const undoing = (drifts: readonly ReportedDrift[], sameFlags: string): string =>
  `deploymgmt apply ${targeting(drifts, sameFlags)}`

/**
 * The apply of a whole entry, if it undoes these and changes nothing else: they are all of the entry that differs, and
 * no drift of it is accepted.
 */
export const undoingEntry = (
  drifts: readonly ReportedDrift[],
  { resources, accepted = [], targeted }: Pick<DriftDocument, 'resources' | 'accepted' | 'targeted'>,
  sameFlags: string,
): string | undefined => {
  const [entry, ...others] = new Set(drifts.map((each) => entryOf(declaredAddress(each))))
  if (entry === undefined || others.length > 0 || targeted !== undefined) return undefined
  const differing = [...resources, ...accepted].filter(
    (each) => !['in-sync', 'unverifiable'].includes(each.verdict) && entryOf(declaredAddress(each)) === entry,
  )
  return differing.length > drifts.length
    ? undefined
    : `deploymgmt apply --target ${shellWord(entry)}${sameFlags}`
}

const hasOthers = (drift: ReportedDrift, { isAlone }: WaysFacts): boolean => {
  const address = declaredAddress(drift)
  return parseAddress(address).keys.length > 0 && !isAlone(address)
}

/** The option that protects a thing, as the file that declares it spells it. */
const protectIn = (declaredAt: string | undefined): string =>
  (isWritten(fileAndLine(declaredAt) ?? '') ? configurationSpelling : manifestSpelling()).setting(
    'protect',
    'true',
  )

const isWritten = (place: string): boolean => /\.tf\.json:\d+$/.test(place)

/** A gone thing stays gone if it is neither declared nor recorded. */
const keepGone = (drift: ReportedDrift, facts: WaysFacts, forget: string): WayOut => {
  const { declaredAt, evidence, allowedBy } = drift
  const place = fileAndLine(declaredAt)
  if (place === undefined) return { command: forget }
  const where = isWritten(place) ? `in the program that wrote ${place}` : `at ${place}`
  const leavesOut = facts.leavesOut(declaredAddress(drift))
  if (leavesOut !== undefined && evidence.level === 'read' && !isWritten(place))
    return {
      text: `${leavesOut}, ${where}${allowedBy === undefined ? '' : `; or set ${allowedBy}: true there`}`,
    }
  const text = hasOthers(drift, facts)
    ? `take it out ${where} where it is named; others are declared there, too`
    : `take it out ${where}${allowedBy === undefined ? '' : `, or set ${allowedBy}: true there`}`
  // A thing that was read is known to be gone, so once the entry is removed, a plan has nothing to do.
  return evidence.level === 'read' ? { text } : { command: forget, text: `${text} as well` }
}

const noteOf = ({ evidence }: ReportedDrift): Pick<WayOut, 'text'> =>
  evidence.level === 'suspect' ? { text: 'no endpoint shows it; the record keeps what was last applied' } : {}
