import { runHere, type Ran } from '../../support/command.ts'
import { manifestWith, type install } from '../../support/installation.ts'
import { begin, only, type Scene as Begun } from '../../support/scene.ts'

/** An installation whose environment a person can change, with commands that run within this process. */
export interface Scene extends Begun {
  readonly run: (...words: string[]) => Promise<Ran>
  readonly manifest: (text: string) => Promise<void>
  readonly control: (method: string, path: string, body?: unknown) => Promise<any>
  /** Sets a fault of the service's answers. */
  readonly fault: (spec: object) => Promise<unknown>
  /** Runs with another world around the command. */
  readonly runIn: (io: Parameters<typeof runHere>[2], ...words: string[]) => Promise<Ran>
}

/** One way to meet an error: what a person does, and what is expected of the message besides its code. */
export interface Provocation {
  /** What happens, as the end of a sentence that begins with the name of the error. */
  readonly when: string
  readonly meet: (scene: Scene) => Promise<Ran>
  /** How the message says where: a position, a path, a request and how it ended, or the word that is wrong. */
  readonly where: RegExp
  /** Findings stand before the line with the code, each with its place and what is allowed there. */
  readonly places?: 'before'
  /** 1 where nothing is said: 3 for an outcome that is unknown, 130 for what was interrupted. */
  readonly exit?: 1 | 3 | 130
  readonly install?: Parameters<typeof install>[0]
}

/** Every way in which each class of error is met, by the name of the class. */
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
/** What reads one list and needs neither manifest nor state. */
export const READ = ['get', 'alert_configurations', '--project-id', '5c8100bcf2a30b12ff88258f']
/** A manifest that declares one window, which is created: a write whose answer can get lost. */
export const WINDOW = only(
  'maintenanceWindows',
  '  migration: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }',
)
