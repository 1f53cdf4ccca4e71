import { createInterface } from 'node:readline/promises'
import { asSentence, USUAL_ID_FORM } from '@deploymgmt/provider/core'
import { sayInstant } from '@deploymgmt/provider/words'
import type { Decision, Outcome } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import { SETTLED_BY_APPLY } from '../../render/wording/resolve-commands.ts'
import { prompt, tell } from '../output/tell.ts'

/** An address with requests of unknown outcome, for a person to decide. */
interface Undecided {
  readonly address: string
  /** `METHOD path`. */
  readonly requests: readonly string[]
  readonly canBeCreated: boolean
  readonly canBeId: (text: string) => boolean
  /** Lines about it: what was to be created, what is known, and how to look. */
  readonly about: readonly string[]
  /** Until when it can still take effect; before that, nobody can say that it does not exist. */
  readonly until: string | undefined
}

/** Asks on the terminal what became of each request; those without an answer stay open. */
export const askWhatBecame = async (io: Io, undecided: readonly Undecided[]): Promise<Decision[]> => {
  const { stdin, stderr } = io
  const lines = createInterface({ input: stdin(), output: stderr, terminal: false })
  const input = lines[Symbol.asyncIterator]()
  const answerFor = async (each: Undecided): Promise<string | undefined> => {
    for (;;) {
      prompt(io, `  ${formsOf(each)}, or nothing to leave it open: `)
      const { value, done } = await input.next()
      const answer = done === true ? '' : value.trim()
      if (answer === '') return undefined
      const wrong = whyNoAnswer(answer, each)
      if (wrong === undefined) return answer
      await tell(io, `  ${wrong}`)
    }
  }
  const answers: Decision[] = []
  try {
    for (const each of undecided) {
      const { address, requests, about } = each
      await tell(io, [`${address}: ${requests.join(', ')}`, ...about].join('\n  '))
      const answer = await answerFor(each)
      if (answer !== undefined) answers.push({ address, ...meant(answer) })
    }
  } finally {
    lines.close()
  }
  return answers
}

const meant = (answer: string): Outcome => {
  if (answer === 'again') return { is: 'again' }
  return answer === 'no' ? { is: 'notCreated' } : { is: 'created', id: answer }
}

const formsOf = ({ canBeCreated, until }: Undecided): string => {
  if (!canBeCreated) return `${asSentence(SETTLED_BY_APPLY)} "again" where it has said that it cannot`
  return until === undefined ? 'Its id if it is there, "no" if it is not' : 'Its id if it is there already'
}

const whyNoAnswer = (answer: string, { canBeCreated, canBeId, until }: Undecided): string | undefined => {
  if (!canBeCreated) return answer === 'again' ? undefined : `${JSON.stringify(answer)} is not "again".`
  if (answer === 'no')
    return until === undefined
      ? undefined
      : `It can still take effect until ${sayInstant(until)}; nobody can say before that.`
  return canBeId(answer)
    ? undefined
    : `${JSON.stringify(answer)} is not an id: those usually have ${USUAL_ID_FORM}.`
}
