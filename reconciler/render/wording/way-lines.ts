import type { About } from '../document/about.ts'
import type { ReportedDrift, ReportedUnmanaged, WayOut } from '../document/drift-model.ts'
import type { Finding } from './findings.ts'

/** What can be done about many unmanaged things. A stack is edited at its source, and cannot ignore things. */
export const unmanagedWays = ({ files }: Pick<About, 'files'>): string =>
  isStack(files)
    ? `declare it in the program that wrote ${files.join(', ')}`
    : 'declare it (deploymgmt adopt writes the entries), or name it in unmanaged.ignore with a reason'

/** Whether a program has written the declaration. */
export const isStack = (files: readonly string[]): boolean =>
  files.length > 0 && files.every((file) => file.endsWith('.tf.json'))

/** What can be done about a finding, as lines of plain text. */
export const wayLinesOf = ({ drift, unmanaged }: Pick<Finding, 'drift' | 'unmanaged'>): string[] => [
  ...(drift === undefined ? [] : wayOutLines(drift)),
  ...(unmanaged === undefined ? [] : unmanagedWayLines(unmanaged)),
]

export const unmanagedWayLines = ({
  declare,
  leave,
}: Pick<ReportedUnmanaged, 'declare' | 'leave'>): string[] => [
  ...wayLines('declare', declare),
  ...wayLines('leave', leave),
]

/** The ways out of a drift as lines of plain text, with the patch below the text that refers to it. */
const wayOutLines = (drift: ReportedDrift): string[] => [
  ...pendingSteps(drift),
  ...wayLines('undo', drift.undo),
  ...wayLines('keep', drift.keep),
]

/** What a person does so that it becomes as it is declared, in sentences. Nothing has to be undone. */
export const pendingSteps = ({ verdict, byHand }: ReportedDrift): string[] =>
  verdict === 'pending' && byHand !== undefined ? [byHand] : []

/** The text of a way out above its entry, which is shown by itself. */
export const textAbove = ({ text, entry }: WayOut): string | undefined =>
  // A function, because an entry can hold what replaces specially.
  entry === undefined ? text : text?.replace(entry, () => 'this')

const wayLines = (name: string, way: WayOut | undefined): string[] =>
  way === undefined
    ? []
    : [
        ...(way.command === undefined ? [] : [`${name}: ${way.command}`]),
        ...(way.text === undefined ? [] : [`${name}: ${way.text}`]),
        ...(way.patch === undefined ? [] : [`${name}:`, ...patchLines(way.patch)]),
      ]

/** Escaped, so that no line within a patch looks like one of ours. */
export const patchLines = (patch: string): string[] =>
  patch
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (/^(?:[ +\-@\\]|$)/.test(line) ? line : ` ${line}`))
