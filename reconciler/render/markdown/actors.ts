import { newestFirstBy, type Actor } from '@deploymgmt/provider/engine'
import { groupBy } from '../wording/grouped-addresses.ts'
import { code, prose, tableHead, tableRow } from './markdown.ts'
import type { Section } from './comment.ts'
import { whoIs } from '../wording/sentences.ts'
import { few } from '../../text/few.ts'
import { number } from '../../text/number.ts'
import { showInstant } from '../../text/instants.ts'

/** Something that somebody has done. */
export interface Deed {
  readonly name: string
  readonly actor?: Actor | undefined
}

const SURE = { high: 'surely', medium: 'likely', low: 'perhaps' }

const MEANING =
  '<sub>*Likely*: several events can be why, or the one that can is not about this field alone. *Perhaps*: an event is about the thing. An event shows that something was done, and seldom to which value.</sub>'

/** Who did what, those who did the most first; nothing where events name nobody. */
export const actorSection = (deeds: readonly Deed[]): Section[] => {
  const named = deeds.flatMap(({ name, actor }) => (actor === undefined ? [] : [{ name, actor }]))
  const byActor = groupBy(named, ({ actor }) =>
    JSON.stringify([whoIs(actor), actor.remoteAddress, actor.confidence]),
  ).toSorted((a, b) => b.length - a.length)
  if (byActor.length === 0) return []
  const isSure = named.every(({ actor }) => actor.confidence === 'high')
  return [
    {
      before: tableHead(['Who', 'How sure', 'What', 'Last']),
      items: byActor.map(actorRow),
      by: '\n',
      after: (left) =>
        [
          ...(left === 0 ? [] : [tableRow([`and ${number(left)} more`, '', '', ''])]),
          ...(isSure ? [] : ['', MEANING]),
        ].join('\n'),
      noun: 'actors',
    },
  ]
}

const actorRow = (deeds: readonly { readonly name: string; readonly actor: Actor }[]): string => {
  const [newest] = newestFirstBy(deeds, ({ actor }) => actor.at)
  if (newest === undefined) return ''
  const { actor } = newest
  const from = actor.remoteAddress === undefined ? '' : ` from ${code(actor.remoteAddress)}`
  const last = `${prose(showInstant(actor.at))}, ${code(actor.eventTypeName)}`
  return tableRow([
    `${code(whoIs(actor))}${from}`,
    SURE[actor.confidence],
    few(deeds.map(({ name }) => code(name))),
    last,
  ])
}
