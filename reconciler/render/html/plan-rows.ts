import { asSentence, kindWords } from '@deploymgmt/provider/core'
import { isUnverifiable } from '@deploymgmt/provider/engine'
import { groupBy } from '../../text/group-by.ts'
import { number } from '../../text/number.ts'
import { decidedFirst } from '../document/field-type.ts'
import type { ReportedChange } from '../document/plan-model.ts'
import { acceptedSentences } from '../wording/acceptances.ts'
import { alikeOccurrences, asOne } from '../wording/alike-changes.ts'
import { besideChange } from '../wording/beside-address.ts'
import { addressedIn, extentWords, occurrenceOf, timesWords } from '../wording/occurrences.ts'
import { nobodySentence, unverifiableSentence } from '../wording/sentences.ts'
import { toldFields } from '../wording/value-pairs.ts'
import {
  addressFact,
  asSaid,
  factList,
  fieldsSection,
  needsSection,
  paragraph,
  placeFact,
  textFact,
  titled,
} from './details.ts'
import { html, NOTHING, type Html } from './escape.ts'
import { planMark } from './marks.ts'
import { commonOf, shownAddress, type Row, type Shown } from './table.ts'
import { scrolling } from './values.ts'
import { whoSection } from './who.ts'

/** Occurrences that do the same share a row, but what events are about has its own, to which the timeline leads. */
export const planRows = (changes: readonly ReportedChange[], shown: Shown): Row[] =>
  alikeOccurrences(changes).flatMap((alike) => {
    const [signed, unsigned] = [alike.filter(isSigned), alike.filter((change) => !isSigned(change))]
    return [
      ...(unsigned.length > 1 ? sharedRow(unsigned, shown) : unsigned.map((change) => rowOf(change, shown))),
      ...signed.map((change) => rowOf(change, shown)),
    ]
  })

const isSigned = ({ actor, evidence }: ReportedChange): boolean =>
  actor !== undefined || evidence.events !== undefined

/** One row as if for one change, with its occurrences in the details. */
const sharedRow = (alike: readonly ReportedChange[], shown: Shown): Row[] => {
  const occurrences = alike.flatMap((change) => occurrenceOf(change) ?? [])
  const [first, [occurrence]] = [asOne(alike), occurrences]
  if (first === undefined || occurrence === undefined) return []
  const { names } = shown.options
  const projects = [...new Set(occurrences.flatMap(({ project }) => project ?? []))]
  const { what, ...others } = first
  const isOneThing = new Set(alike.map((change) => change.what)).size === 1
  const change: ReportedChange = {
    ...others,
    ...(what !== undefined && isOneThing ? { what } : {}),
    address: addressedIn(
      occurrence.entry,
      projects.map((id) => names?.get(id) ?? id),
    ),
    fields: occurrence.alike,
    requests: alike.flatMap(({ requests }) => requests),
  }
  return [
    {
      ...rowOf(change, shown),
      count: alike.length,
      what: extentWords(occurrences).join(', '),
      aside: `${number(alike.length)} occurrences`,
      details: html`${detailsOf(change, shown)}${occurrenceList(alike, isOneThing)}`,
    },
  ]
}

/** Each by its own address, by which a reader may look for it. */
const occurrenceList = (alike: readonly ReportedChange[], isOneThing: boolean): Html =>
  html`<section>
    <h3>Occurrences</h3>
    <ul class="occurrences">
      ${alike.map((change) => {
        const occurrence = occurrenceOf(change)
        const times = occurrence === undefined ? '' : timesWords(occurrence)
        const what = isOneThing || change.what === undefined ? NOTHING : html` ${scrolling(change.what)}`
        return html`<li>
          <span class="mono">${shownAddress(change.address)}</span> <span>${times}</span>${what}
        </li>`
      })}
    </ul>
  </section>`

const rowOf = (change: ReportedChange, shown: Shown): Row => ({
  ...commonOf(change),
  ...besideChange(change, shown.options.names),
  mark: planMark(change),
  fields: decidedFirst(toldFields(change), change.kind),
  details: detailsOf(change, shown),
})

const detailsOf = (change: ReportedChange, shown: Shown): Html => {
  const { address, kind, declaredAt, reason, evidence, byHand, notes = [], needs = [] } = change
  const why = isUnverifiable(change) ? asSentence(unverifiableSentence(evidence)) : asSaid(reason, kind)
  return html`${[
    paragraph(why),
    fieldsSection(toldFields(change), shown, { ...shown.options, kind }),
    titled('To do', byHand === undefined ? [] : [byHand]),
    needsSection(needs),
    titled('Note', [...acceptedSentences(change), ...notes]),
    whoOf(change),
    factList([
      ['Address', addressFact(address)],
      ['Was called', textFact(change.from)],
      ['What', textFact(change.what)],
      ['Kind', kindWords(kind)],
      ['Declared at', placeFact(declaredAt)],
      ['After', textFact(change.waitsFor?.join(', '))],
      ['Sends', requestsOf(change)],
    ]),
  ]}`
}

const whoOf = (change: ReportedChange): Html =>
  change.actor === undefined && change.evidence.events === undefined
    ? titled('Who', nobodySentence(change.evidence, change))
    : whoSection(change)

/** Each request once, with how often it is sent. */
const requestsOf = ({ requests }: ReportedChange): Html | undefined =>
  requests.length === 0
    ? undefined
    : html`${groupBy(requests, ({ method, path }) => `${method} ${path}`).map(([first, ...again]) => {
        const times = again.length === 0 ? '' : ` ${number(again.length + 1)} times`
        return html`<span class="request"><code>${first?.method} ${first?.path}</code>${times}</span>`
      })}`
