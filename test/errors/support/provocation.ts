import { runHere, type Ran } from '../../support/command.ts'
import { manifestWith, type install } from '../../support/installation.ts'
import { begin, only, type Scene as Begun } from '../../support/scene.ts'

/** An installation whose environment can be changed, and whose commands run in this process. */
export interface Scene extends Begun {
  readonly run: (...words: string[]) => Promise<Ran>
  readonly manifest: (text: string) => Promise<void>
  readonly control: (method: string, path: string, body?: unknown) => Promise<any>
  /** Sets a fault for answers of the service. */
  readonly fault: (spec: object) => Promise<unknown>
  /** Runs a command with other surroundings. */
  readonly runIn: (io: Parameters<typeof runHere>[2], ...words: string[]) => Promise<Ran>
}

/** One way to get an error, and what the message has to contain in addition to its code. */
export interface Provocation {
  /** What happens, as the end of a sentence that begins with the name of the error. */
  readonly when: string
  readonly meet: (scene: Scene) => Promise<Ran>
  /** Where the error is, according to the message: a position, a path, a request and how it ended, or a wrong word. */
  readonly where: RegExp
  /** The findings come before the line with the code, each with its place and what is allowed there. */
  readonly places?: 'before'
  /** 1 by default; 3 for an unknown outcome, 130 for an interrupt. */
  readonly exit?: 1 | 3 | 130
  readonly install?: Parameters<typeof install>[0]
}

/** All ways to get each class of error, by class name. */
export type Table = Readonly<Record<string, readonly Provocation[]>>

/** An installation with a manifest of all five kinds and an empty state. */
export const scene = async (options: Parameters<typeof install>[0] = {}): Promise<Scene> => {
  const here = await begin({ ...options, manifest: manifestWith() })
  return {
    ...here,
    fault: (spec) => here.control('POST', 'faults', spec),
    runIn: (io, ...words) => runHere(here, words, io),
  }
}

export const APPLY = ['apply', '--auto-approve']
/** Reads a single list; needs neither manifest nor state. */
export const READ = ['get', 'alert_configurations', '--project-id', '5c8100bcf2a30b12ff88258f']
/** Declares a window, which is created: a write whose answer can get lost. */
export const WINDOW = only(
  'maintenanceWindows',
  '  migration: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }',
)
