import { createInterface } from 'node:readline/promises'
import { capitalized } from '@deploymgmt/provider/core/text'
import { GuardError } from '@deploymgmt/provider/errors'
import type { Need, Provisional, Plan, PlannedChange } from '@deploymgmt/provider/engine'
import type { Words } from '@deploymgmt/provider/words'
import { NotConfirmedError, StateMissingError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { reportedNeedsShortly } from '../../render/document/reported.ts'
import type { PlanDocument } from '../../render/document/plan-model.ts'
import { whereWords } from '../../render/terminal/where.ts'
import type { Session } from '../../state/index.ts'
import { visible } from '../../text/display.ts'
import { prompt, tell } from '../output/tell.ts'
import { sameFlagsOf, allowedBy, type AllowOptions, type CommonOptions } from '../line/options.ts'
import { shownState } from '../resolve/state.ts'

/** Recording observations needs no consent; everything else does. */
export const needsConsent = (planned: readonly PlannedChange[]): boolean =>
  planned.some(({ work, change }) => work.do !== 'keep' && change.action !== 'expired')

/** Refusals before anything is sent. @throws StateMissingError, GuardError */
export const refuseUnready = (
  { planned, needs, strangers }: Plan,
  { exists, place }: Pick<Session, 'exists' | 'place'>,
  {
    io,
    options,
    words,
  }: { readonly io: Io; readonly options: CommonOptions & AllowOptions; readonly words: Words },
): void => {
  // If creations are blocked beside what this key has made, a state was probably lost: a new one in its place would
  // refuse the backup.
  if (!exists && (strangers.length > 0 || planned.some(({ work }) => work.do === 'create')))
    throw new StateMissingError(
      'there is no state, so nothing is created: what an earlier run created could be created again',
      {
        where: shownState(io, place),
        hint: `If a state was lost, restore it first. If this is the first run, begin with: deploymgmt state init${sameFlagsOf(options)}`,
      },
    )
  const allowed = allowedBy(options)
  const missing = needs.filter(({ flag }) => !allowed.has(flag))
  if (missing.length > 0) throw refusalOf(missing, words)
}

/** The error of apply about missing flags. */
export const refusalOf = (needs: readonly Need[], words: Words): GuardError =>
  new GuardError(reportedNeedsShortly(needs, words))

/** What a person is asked: what is carried out where, and which writes settle earlier requests before that. */
interface Question {
  readonly about: PlanDocument['about']
  readonly changes: PlanDocument['changes']
  readonly steps: readonly Pick<Provisional, 'address' | 'how' | 'step'>[]
}

/** @throws NotConfirmedError if the person does not agree, or there is none */
export const ask = async (
  io: Io,
  question: Question,
  { says }: Words,
  signal: AbortSignal,
): Promise<void> => {
  const lines = question.steps.map((each) => `${each.address}: ${says(each.how)}${writes(each.step)}`)
  const what = visible(questionOf(question))
  if (io.stdin().isTTY !== true)
    throw new NotConfirmedError(
      `there is no terminal on which to ask whether to ${what}; nothing was sent`,
      lines.length === 0 ? {} : { hint: `--auto-approve settles them:\n  ${lines.join('\n  ')}` },
    )
  if (lines.length > 0) await tell(io, lines.join('\n'))
  const asked = `${capitalized(what)}? Only "yes" is accepted: `
  if (!(await confirm(io, asked, signal)))
    throw new NotConfirmedError('not confirmed; nothing was sent', {
      interrupted: signal.aborted,
      hint: 'Answer yes to apply.',
    })
}

const questionOf = ({ about, changes, steps }: Question): string => {
  const lost = steps.length === 1 ? 'an earlier request' : `${steps.length} earlier requests`
  const what = changes.length === 1 ? 'this change' : 'these changes'
  const where = whereWords(about)
  if (steps.length === 0) return `apply ${what} ${where}`
  return changes.length === 0 ? `settle ${lost} ${where}` : `settle ${lost} first, and apply ${what} ${where}`
}

/** The write and its target: a fence writes to another thing than the one that it settles. */
const writes = (step: Provisional['step']): string => {
  if (step?.step !== 'fence') return ''
  const id = step.record.identity[step.definition.identity.key]
  return `; it writes the ${step.field} of ${step.address} (${id}) again as it is, which changes nothing`
}

/** Asks on the terminal; anything but `yes` means no, and so does the end of the input or an interrupt. */
const confirm = async (io: Io, question: string, signal: AbortSignal): Promise<boolean> => {
  const { stdin, stderr } = io
  const lines = createInterface({ input: stdin(), output: stderr, terminal: false })
  const close = (): void => lines.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    prompt(io, question)
    // A read from closed input would never end.
    if (signal.aborted) return false
    for await (const line of lines) return line.trim() === 'yes'
    // Nobody has ended the line of the question.
    stderr.write('\n')
    return false
  } finally {
    signal.removeEventListener('abort', close)
    lines.close()
  }
}
