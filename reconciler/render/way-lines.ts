import type { SaidDrift, WayOut } from './document.ts'

/** The ways out of a drift as lines of plain text, the patch below what says so. */
export const wayOutLines = ({
  undo,
  keep,
  byHand,
}: Pick<SaidDrift, 'undo' | 'keep' | 'byHand'>): string[] => [
  ...wayLines('undo', undo ?? (byHand === undefined ? undefined : { text: byHand })),
  ...wayLines('keep', keep),
]

const wayLines = (name: string, way: WayOut | undefined): string[] =>
  way === undefined
    ? []
    : [
        ...(way.command === undefined ? [] : [`${name}: ${way.command}`]),
        ...(way.text === undefined ? [] : [`${name}: ${way.text}`]),
        ...(way.patch === undefined ? [] : [`${name}:`, ...patchLines(way.patch)]),
      ]

/** A line that is none of a patch is not to be taken for one of ours. */
export const patchLines = (patch: string): string[] =>
  patch
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (/^(?:[ +\-@\\]|$)/.test(line) ? line : ` ${line}`))
