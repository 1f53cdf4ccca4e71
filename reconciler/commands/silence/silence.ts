import { setImmediate as turnOfEvents } from 'node:timers/promises'
import { nearest } from '@deploymgmt/provider/core'
import { didYouMean } from '@deploymgmt/provider/core/text'
import { sayInstant } from '@deploymgmt/provider/words'
import { asOurs, UnknownOutcomeError, UsageError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { shellWord } from '../../text/display.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { projectNamed, sayProject } from '../resolve/project.ts'
import { reportDone } from '../output/report-done.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { codeOfSignal, startChild, whyNotRun, type Child } from './child.ts'
import { knownTypes, nameIn } from './kind.ts'
import { basisOf, withSilences, type Basis } from './state.ts'
import { endWindow, openWindow, type Ended, type Silence, type Wanted } from './window.ts'

interface SilenceOptions extends CommonOptions {
  readonly project?: string
  readonly types: readonly string[]
  /** Milliseconds. */
  readonly max?: number
  readonly reason?: string
  readonly bestEffort?: boolean
}

/** The command to run follows `--`; words before `--` that are no flags are loose. */
interface Words {
  readonly loose: readonly string[]
  readonly afterDashes: readonly string[] | undefined
}

/** Opens a window, runs the command within it, and ends it; returns the command's exit code. */
export const silence = async (io: Io, options: SilenceOptions, words: Words): Promise<number> => {
  refuseMisplaced(words)
  const { afterDashes: command } = words
  const asked = askedBy(options)
  const basis = await basisOf(io, options)
  const wanted = wantedIn(basis, asked)
  await warnOfTypes(io, wanted)
  const signals = new Signals(io)
  try {
    const opened = await open(io, options, { basis, wanted, signals }).catch(async (error: unknown) => {
      // An exit code of ours must not be mistaken for the command's; an unknown outcome reports itself.
      if (command !== undefined && !(error instanceof UnknownOutcomeError))
        await tell(io, 'The command was not run.')
      throw error
    })
    if (command === undefined) return await leaveOpen(io, options, { ...opened, projectId: wanted.projectId })
    const code = signals.heard === undefined ? await run(io, command, signals) : undefined
    await end(io, options, { basis, opened, signals })
    return code ?? signals.code
  } catch (error) {
    if (signals.heard === undefined) throw error
    await tell(io, asOurs(error).describe())
    return signals.code
  } finally {
    signals.stop()
  }
}

/** @throws UsageError */
const refuseMisplaced = ({ loose, afterDashes }: Words): void => {
  const [first = ''] = loose
  const meant = nearest(first, ['list', 'end'])
  if (loose.length > 0)
    throw new UsageError(
      `${JSON.stringify(first)} is where a flag is expected${didYouMean(meant && `silence ${meant}`)}`,
      {
        hint: `Put flags first, and -- before the command to run: deploymgmt silence … -- ${[...loose, ...(afterDashes ?? [])].map((each) => shellWord(each)).join(' ')}`,
      },
    )
  // The word is empty if it is a variable that is not set.
  if (afterDashes !== undefined && (afterDashes[0] ?? '') === '')
    throw new UsageError('there is no command after --', { hint: 'Omit -- to only open a window.' })
}

type Asked = Omit<Wanted, 'projectId'> & { readonly project: string }

/** What the flags ask for. @throws UsageError */
const askedBy = ({ project, types, max, reason }: SilenceOptions): Asked => {
  const missing = [
    ...(project === undefined ? ['--project'] : []),
    ...(types.length === 0 ? ['--types'] : []),
    ...(max === undefined ? ['--max'] : []),
  ]
  if (project === undefined || max === undefined || missing.length > 0)
    throw new UsageError(`silence needs ${missing.join(', ')}`, {
      hint: 'As in: deploymgmt silence --project payments --types HOST --max 2h -- ./deploy.sh',
    })
  if (max === 0) throw new UsageError('--max must be longer than zero')
  return { project, types: [...new Set(types)], max, reason }
}

/** The requested silence. @throws UsageError */
const wantedIn = ({ loaded: { declaration } }: Basis, { project, ...asked }: Asked): Wanted => ({
  ...asked,
  projectId: projectNamed(project, declaration.projectNames),
})

/** The set is open: an unknown type is sent all the same. */
const warnOfTypes = async (io: Io, { types }: Wanted): Promise<void> => {
  const known = knownTypes()
  for (const name of types.filter((each) => !known.includes(each))) {
    const meant = didYouMean(nearest(name, known))
    await tell(io, `Warning: --types: ${JSON.stringify(name)} is not a known alert type${meant}`)
  }
}

interface Opening {
  readonly basis: Basis
  readonly wanted: Wanted
  readonly signals: Signals
}

/** @throws UnknownOutcomeError if it is unknown whether the window exists, unless `--best-effort` allows that */
const open = async (
  io: Io,
  options: SilenceOptions,
  { basis, wanted, signals }: Opening,
): Promise<Silence> => {
  const { uuid, pause } = systemOf(io)
  const name = `silence-${io.now().toISOString().slice(0, 10)}-${uuid().slice(0, 8)}`
  const during = { ...basis, signal: signals.aborted }
  const made = await withSilences(io, options, during, (silencing) => openWindow(silencing, wanted, name))
  const where = sayProject(wanted.projectId, basis.loaded.declaration.projectNames)
  const until = sayInstant(made.endDate)
  if (made.id !== undefined) {
    if (made.beginsIn > 0) await pause(made.beginsIn, signals.aborted).catch(() => undefined)
    await tell(io, `Silenced ${wanted.types.join(', ')} in ${where} until ${until} at the latest.`)
    return made
  }
  const what = `it is not known whether the window was opened in ${where}: the answer to its creation was lost`
  if (options.bestEffort !== true)
    throw new UnknownOutcomeError(what, {
      hint: `The command was not run. If the window is there, it ends by itself at ${until}; deploymgmt silence list shows what is known about it. --best-effort runs the command anyway.`,
    })
  await tell(io, `Warning: ${what}. If it is there, it ends by itself at ${until}.`)
  return made
}

const leaveOpen = async (
  io: Io,
  options: SilenceOptions,
  { id, address, endDate, projectId }: Silence & Pick<Wanted, 'projectId'>,
): Promise<number> => {
  const flags = sameFlagsOf(options)
  const ending = `deploymgmt silence end ${shellWord(id ?? nameIn(address))}${flags}`
  await reportDone(io, options, `To end it earlier: ${ending}`, {
    ...(id === undefined ? {} : { id }),
    projectId,
    endDate,
  })
  return 0
}

/** Runs the command until it ends. */
const run = async (io: Io, command: readonly string[], signals: Signals): Promise<number> => {
  const child = startChild(command, io, (error) => {
    io.stderr.write(whyNotRun(command[0] ?? '', error))
  })
  // Signals that came before there was a command are heard within a whole turn, and did not reach it.
  await turnOfEvents()
  await turnOfEvents()
  signals.during(child)
  const code = await child.ended
  signals.during(undefined)
  return code
}

/** A failure to end the window is reported, and does not change the exit code of the command. */
const end = async (
  io: Io,
  options: SilenceOptions,
  {
    basis,
    opened: { id, address, endDate },
    signals,
  }: { readonly basis: Basis; readonly opened: Silence; readonly signals: Signals },
): Promise<void> => {
  const until = sayInstant(endDate)
  signals.ending(
    `Ending the window. Interrupt once more to stop at once; the window then ends by itself at ${until}.`,
  )
  const how = `deploymgmt silence end ${shellWord(id ?? nameIn(address))}${sameFlagsOf(options)}`
  const later = `Warning: the window may still be open. It ends by itself at ${until}; to end it earlier: ${how}`
  try {
    const ended = await withSilences(io, options, basis, (silencing) => endWindow(silencing, address))
    if (ended === 'not-there' && id === undefined) await tell(io, later)
    else await tell(io, saysEnded(ended, until))
  } catch (error) {
    await tell(io, `${asOurs(error).describe()}\n${later}`)
  }
}

/** A command that outlived its window was not silenced for the rest of its time. */
const saysEnded = (ended: Ended, until: string): string => {
  if (ended === 'ended') return 'The window has ended.'
  return ended === 'over'
    ? `Warning: the window ended before the command did: alerts have not been silenced since ${until} at the latest. Use a longer --max to cover the whole command.`
    : `Warning: somebody else ended the window before the command was over: alerts have not been silenced since then.`
}

/** Signals to this process, and who receives them. */
class Signals {
  readonly stop: () => void
  /** The first signal that could not be passed on to the command. */
  heard: NodeJS.Signals | undefined
  readonly #opening = new AbortController()
  #child: Child | undefined
  #words: string | undefined

  constructor(io: Io) {
    const listen = io.onSignal ?? (() => () => undefined)
    this.stop = listen((signal) => this.#hear(signal, io))
  }

  get aborted(): AbortSignal {
    return this.#opening.signal
  }

  get code(): number {
    return codeOfSignal(this.heard ?? 'SIGINT')
  }

  /** From now on, signals go to the command, with one that was heard before it was there; or to nobody. */
  during(child: Child | undefined): void {
    this.#child = child
    if (child === undefined || this.heard === undefined) return
    child.pass(this.heard)
    this.heard = undefined
  }

  /** @param words are printed once; a second signal stops the process */
  ending(words: string): void {
    this.#words = words
  }

  #hear(signal: NodeJS.Signals, io: Io): void {
    if (this.#child !== undefined) {
      // A terminal signals each process of its group: passing the signal on would be a second one, which means to
      // stop at once.
      if (signal !== 'SIGINT' || io.stdin().isTTY !== true) this.#child.pass(signal)
      return
    }
    if (this.#words !== undefined && this.heard !== undefined) process.exit(codeOfSignal(signal))
    if (this.#words !== undefined) io.stderr.write(`${this.#words}\n`)
    this.heard ??= signal
    this.#opening.abort()
  }
}
