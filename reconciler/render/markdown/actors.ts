import { likelihoodOf, SURENESS, whoIs } from '@deploymgmt/provider/words'
import { newestFirstBy, type Actor } from '@deploymgmt/provider/engine'
import { groupBy } from '../../text/group-by.ts'
import { code, prose, tableHead, tableRow } from './markdown.ts'
import type { Section } from './comment.ts'
import { whatNamed } from './markdown-parts.ts'
import { few } from '../../text/few.ts'
import { number } from '../../text/number.ts'
import { counted } from '../wording/sentences.ts'
import { sayMoment } from '../../text/instants.ts'

/** Something that somebody has done. */
export interface Deed {
  readonly name: string
  /** What the name does not say. */
  readonly what?: string | undefined
  readonly actor?: Actor | undefined
}

/** Explanations of the words before the names, each once. */
const meaningOf = (actors: readonly Actor[]): string[] => {
  const said = [...new Set(actors.map(({ confidence }) => likelihoodOf(confidence)))]
    .filter((each) => each !== undefined)
    .toSorted()
  return said.length === 0 ? [] : ['', `<sub>${said.map(prose).join('. ')}</sub>`]
}

/** Who did what, the busiest first; empty if events name nobody. */
export const actorSection = (deeds: readonly Deed[]): Section[] => {
  const named = deeds.flatMap(({ actor, ...deed }) => (actor === undefined ? [] : [{ ...deed, actor }]))
  const byActor = groupBy(named, ({ actor }) =>
    JSON.stringify([whoIs(actor), actor.remoteAddress, actor.confidence]),
  ).toSorted((a, b) => b.length - a.length)
  if (byActor.length === 0) return []
  return [
    {
      before: tableHead(['Who', 'What', 'Last']),
      items: byActor.map(actorRow),
      by: '\n',
      after: (left) =>
        [
          ...(left === 0 ? [] : [tableRow([`and ${number(left)} more`, '', ''])]),
          ...meaningOf(named.map(({ actor }) => actor)),
        ].join('\n'),
      countedAs: (count) => counted(count, 'actor'),
    },
  ]
}

const actorRow = (deeds: readonly (Deed & { readonly actor: Actor })[]): string => {
  const [newest] = newestFirstBy(deeds, ({ actor }) => actor.at)
  if (newest === undefined) return ''
  const { actor } = newest
  const from = actor.remoteAddress === undefined ? '' : ` from ${code(actor.remoteAddress)}`
  const last = `${prose(sayMoment(actor.at))}, ${code(actor.eventTypeName)}`
  return tableRow([
    `${SURENESS[actor.confidence].by} ${code(whoIs(actor))}${from}`,
    few(deeds.map(({ name, what }) => whatNamed(name, what))),
    last,
  ])
}
