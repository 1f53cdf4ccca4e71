import { likelihoodOf, SURENESS, whoIs, wordBefore } from '@deploymgmt/provider/words'
import { asSentence } from '@deploymgmt/provider/core'
import type { Actor } from '@deploymgmt/provider/engine'
import type { ReportedDriftedField, ReportedEvidence } from '../document/reported.ts'
import { counted, ownActors } from '../wording/sentences.ts'
import { clip } from '@deploymgmt/provider/core/text'
import { html, NOTHING, type Html } from './escape.ts'
import { momentOf } from './values.ts'

interface Caused {
  readonly actor?: Actor
  readonly fields?: readonly ReportedDriftedField[]
  readonly evidence: ReportedEvidence
  readonly likelihood?: string
}

const NAME_ROOM = 60

/** For the table: a name with its confidence, or the number of events that name nobody. */
export const whoCell = ({ actor, fields = [], evidence: { events = [] } }: Caused): Html => {
  if (actor !== undefined)
    return html`${unsure(wordBefore(actor.confidence))}<bdi>${clip(whoIs(actor), NAME_ROOM)}</bdi>`
  const own = new Set(ownActors(fields).map(([, each]) => whoIs(each)))
  if (own.size > 0) return html`<bdi>${clip([...own].join(' and '), NAME_ROOM)}</bdi>`
  return events.length === 0 ? NOTHING : unsure(`${counted(events.length, 'event')}, nobody named`)
}

const unsure = (text: string): Html => (text === '' ? NOTHING : html`<i>${text}</i>`)

export const whenCell = ({ actor, evidence: { events = [] } }: Caused): Html => {
  const at = actor?.at ?? events[0]?.created
  return at === undefined ? NOTHING : momentOf(at)
}

/** The actors, and all events about the change, with explanations of confidence. */
export const whoSection = (caused: Caused): Html => {
  const { actor, evidence } = caused
  const events = evidence.events ?? []
  const own = ownActors(caused.fields ?? [])
  const actors = actor === undefined ? own : [['Changed', actor] as const]
  if (actors.length + events.length === 0) return NOTHING
  const said =
    actors.length === 0
      ? html`<p>No event shows which of these changed it.</p>`
      : actorsSaid(actors, caused.likelihood)
  const others = events.filter(({ id }) => !actors.some(([, { eventId: known }]) => known === id))
  return html`<section>
    <h3>Who</h3>
    ${said}${
      others.length === 0
        ? NOTHING
        : html`<ul class="events">
            ${others.map(
              (event) =>
                html`<li>
                  ${momentOf(event.created)} <code>${event.eventTypeName}</code>
                  <bdi>${whoIs(event)}</bdi>${fromWhere(event)} ${eventId(event.id)}
                </li>`,
            )}
          </ul>`
    }
  </section>`
}

/** Each actor with what they changed: everything, or a field. */
const actorsSaid = (actors: readonly (readonly [string, Actor])[], likelihood: string | undefined): Html => {
  const least = actors.map(([, actor]) => actor).toSorted((a, b) => rankOf(b) - rankOf(a))[0]
  const { confidence } = least ?? { confidence: 'high' as const }
  const meaning = likelihoodOf(confidence) ?? SURENESS[confidence].meaning
  return html`${actors.map(
      ([what, actor]) =>
        html`<p>
          <bdi>${what}</bdi> ${SURENESS[actor.confidence].by} <b><bdi>${whoIs(actor)}</bdi></b
          >${fromWhere(actor)}, ${momentOf(actor.at)}, <code>${actor.eventTypeName}</code>
          ${eventId(actor.eventId)}
        </p>`,
    )}
    <p class="note">${asSentence(likelihood ?? meaning)}</p>`
}

/** Lower confidence ranks higher. */
const rankOf = ({ confidence }: Actor): number => Object.keys(SURENESS).indexOf(confidence)

export const fromWhere = ({ remoteAddress }: { readonly remoteAddress?: string }): Html =>
  remoteAddress === undefined ? NOTHING : html` from <bdi>${remoteAddress}</bdi>`

const eventId = (id: string): Html => html`<span class="id">event <bdi>${id}</bdi></span>`
