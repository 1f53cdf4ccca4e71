import { asSentence, isNone, type KindDefinition, type None, type Operation } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { bullets, code, notice, page, spoken, table } from './markdown.ts'
import { aNoun, noun } from './noun.ts'

/** What the API allows for a kind: a word, its short form for the overview table, and the full text. */
interface Capability {
  readonly word: string
  readonly short: string
  readonly whole: string
}

/** The overview table of all kinds, with links relative to the folder that `at` leads to. */
export const capabilitiesTable = (at: string): string => {
  const columns = kinds.map((kind) => ({ kind, capabilities: capabilitiesOf(kind) }))
  const words = columns[0]?.capabilities.map(({ word }) => word) ?? []
  return table(
    ['', ...columns.map(({ kind }) => `[${kind.title}](${at}kinds/${kind.kind}.md)`)],
    words.map((word, row) => [
      `**${word}**`,
      ...columns.map(({ capabilities }) => capabilities[row]?.short ?? ''),
    ]),
  )
}

export const capabilitiesOf = (kind: KindDefinition): Capability[] => [
  { word: 'Create', ...create(kind) },
  { word: 'Adopt', ...adopt(kind) },
  { word: 'Observe', ...observe(kind) },
  { word: 'Change', ...change(kind) },
  { word: 'Release', ...release(kind) },
  { word: 'Delete', ...absence(kind) },
  { word: 'Events', ...events(kind) },
]

type Said = Omit<Capability, 'word'>

const called = ({ method, path, endpoint }: Operation): string =>
  `${code(`${method} ${path}`)} (endpoint ${String(endpoint)})`
const short = ({ method, endpoint }: Operation): string => `${method} (${String(endpoint)})`
const missing = ({ none, byHand }: None): Said => ({
  short: 'no',
  whole: `No. ${asSentence(none)}${byHand === undefined ? '' : ` ${spoken(byHand)}`}`,
})
const names = (list: readonly string[]): string => list.map((name) => code(name)).join(', ')

const create = (kind: KindDefinition): Said => {
  const word = kind.establish.create
  if (isNone(word)) return missing(word)
  const lost = isNone(word.lost)
    ? `If the answer is lost, a person decides: ${word.lost.none}.`
    : word.lost.by === 'name'
      ? `If the answer is lost, events show whether it was created. The id is known once the ${noun(kind)} causes an event itself.`
      : `If the answer is lost, events with the new ${code(word.lost.idInEvent)} show whether it was created.`
  const conflict = word.conflict === undefined ? '' : `If the service answers 409: ${spoken(word.conflict)}`
  return {
    short: short(word.operation),
    whole: [`${called(word.operation)}.`, lost, conflict].filter((sentence) => sentence !== '').join(' '),
  }
}

const adopt = (kind: KindDefinition): Said => {
  const { establish, identity } = kind
  const word = establish.adopt
  if (isNone(word)) return missing(word)
  const { requires, learnBy, mayBeMissing } = word
  const { members } = kind.expand
  const selector = members?.are === 'written' ? code(members.by) : undefined
  return {
    short: `by ${code(identity.declaredAs)}${selector === undefined ? '' : ` or ${selector}`}`,
    whole: [
      `An existing ${noun(kind)} is adopted by its ${code(identity.declaredAs)}${selector === undefined ? '' : `, or with all others that ${selector} matches`}.`,
      requires === undefined
        ? ''
        : `This requires ${code(`${requires.field}: true`)}, because ${requires.because}.`,
      learnBy.length === 0
        ? ''
        : `The first write sends only ${names(learnBy)}; its answer shows the other fields.`,
      mayBeMissing === undefined
        ? ''
        : `If it does not exist${selector === undefined ? '' : ', or nothing matches'}, the entry is ${code('blocked')}, unless it has ${code(`${mayBeMissing}: true`)}.`,
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  }
}

const observe = ({ observe: word }: KindDefinition): Said => {
  if (word.how === 'nothing') return { short: 'nothing', whole: `Nothing. ${asSentence(word.reason)}` }
  if (word.how === 'parts') {
    const parts = Object.entries(word.parts)
    return {
      short: parts.map(([name, { list }]) => `${code(name)} alone: ${short(list)}`).join(', '),
      whole: [
        `In part. ${asSentence(word.reason)}`,
        ...parts.map(
          ([name, part]) =>
            `${code(name)}: ${called(part.list)}. A difference is ${code('blocked')}. ${spoken(part.byHand)}`,
        ),
      ].join(' '),
    }
  }
  const { list, get } = word
  return isNone(get)
    ? { short: `list: ${short(list)}`, whole: `Everything: ${called(list)}. ${asSentence(get.none)}` }
    : {
        short: `list: ${short(list)}, one: ${short(get)}`,
        whole: `Everything. All: ${called(list)}. One: ${called(get)}.`,
      }
}

const change = ({ write, lifetime }: KindDefinition): Said => {
  if (isNone(write)) return missing(write)
  const until = isNone(lifetime) ? '' : `, while ${code(lifetime.endsAt)} is in the future`
  return {
    short: `${names(write.fields)}: ${short(write.operation)}`,
    whole: `${names(write.fields)}: ${called(write.operation)}${until}.`,
  }
}

const release = ({ release: ways }: KindDefinition): Said => {
  const listed = Object.keys(ways).map((way, index) => code(way) + (index === 0 ? ' (default)' : ''))
  return { short: listed.join(', '), whole: `${listed.join(', ')}; see [Removal](#removal).` }
}

const absence = ({ absence: word, identity }: KindDefinition): Said => {
  if (isNone(word)) return missing(word)
  return {
    short: short(word.operation),
    whole: `${called(word.operation)}, if ${code(identity.key)} is one of ${names(word.deletable)}. Deleting any other is ${code('blocked')}. ${spoken(word.byHand)}`,
  }
}

const events = (kind: KindDefinition): Said => {
  const { witness } = kind
  if (isNone(witness)) return missing(witness)
  const types = witness.types.map((type) => code(`${type}…`)).join(', ')
  return {
    short: `by ${code(witness.event)}`,
    whole: `An event is about ${aNoun(kind)} if its ${code(witness.event)} is the ${code(witness.instance)} of the ${noun(kind)}${types === '' ? '' : `, and its type is ${types}`}.`,
  }
}

/** The page with the overview table, and with what is missing kind by kind. */
export const capabilitiesPage = (): string => {
  const columns = kinds.map((kind) => ({ kind, capabilities: capabilitiesOf(kind) }))
  return page(
    notice('provider/kinds/'),
    '# What can be done, kind by kind',
    'The API has no full set of calls to create, read, change and delete for any kind. If the API has no call for a change, the change is `blocked`, and the message says what to do by hand instead. Values that the API cannot show are labelled as such, and never reported as in sync. A number in brackets is the number of the endpoint in the API’s specification.',
    capabilitiesTable(''),
    '## What is missing, and what to do by hand',
    ...columns.flatMap(({ kind, capabilities }) => [
      `### ${kind.title}`,
      bullets(
        capabilities
          .filter(({ whole }) => /^(?:No|Nothing|In part)\./.test(whole))
          .map(({ word, whole }) => `**${word}**: ${whole}`),
      ),
    ]),
  )
}
