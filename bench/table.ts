import type { Found, Row } from './row.ts'

/** The result of a row: what it measured, or why it could not. */
export interface RowResult {
  readonly row: Row
  readonly found?: Found
  readonly skipped?: string
}

export const markdown = (outcomes: readonly RowResult[]): string => {
  const lines = outcomes.map(({ row, found, skipped }) => [
    row.name,
    row.says,
    `≤ ${String(row.target)}`,
    found === undefined ? `skipped: ${skipped ?? ''}` : figure(found.value),
    found === undefined ? '' : found.value <= row.target ? 'reached' : 'not reached',
    Object.entries(found?.from ?? {})
      .map(([name, value]) => `${name} ${figure(value)}`)
      .join(', '),
  ])
  const head = [['row', 'ratio', 'to reach', 'is', '', 'from'], Array<string>(6).fill('---')]
  return [...head, ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

const figure = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3)

export const json = (outcomes: readonly RowResult[], about: object): string =>
  JSON.stringify(
    {
      ...about,
      rows: outcomes.map(({ row: { name, says, target }, ...outcome }) => ({
        name,
        says,
        target,
        ...(outcome.found === undefined ? { skipped: outcome.skipped } : outcome.found),
      })),
    },
    undefined,
    2,
  )
