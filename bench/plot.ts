import type { Point } from './row.ts'

const [WIDTH, HEIGHT, MARGIN] = [420, 300, 60]

/** Cost against size, both logarithmic: processor time on the left; memory on the right, if it was measured. */
export const plot = (points: readonly Point[]): string => {
  const memory = points.flatMap(({ size, peakKb }) =>
    peakKb === undefined ? [] : [[size, peakKb / 1024] as const],
  )
  const panels = [
    panel(
      points.map(({ size, cpuMs }) => [size, cpuMs / 1000]),
      'plan, CPU seconds',
    ),
    ...(memory.length === 0 ? [] : [panel(memory, 'plan, peak memory in MB')]),
  ]
  const shown = panels.map((each, at) => `<g transform="translate(${String(at * WIDTH)} 0)">${each}</g>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(2 * WIDTH)} ${String(HEIGHT)}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${shown.join('\n')}
</svg>
`
}

type Pair = readonly [number, number]

const panel = (pairs: readonly Pair[], title: string): string => {
  const [left, right] = powersAround(pairs.map(([size]) => size))
  const [low, high] = powersAround(pairs.map(([, cost]) => cost))
  const x = (size: number): number => place(Math.log10(size), [left, right], [MARGIN, WIDTH - 20])
  const y = (cost: number): number => place(Math.log10(cost), [low, high], [HEIGHT - 40, 40])
  const at = (pair: Pair): string => `${x(pair[0]).toFixed(1)},${y(pair[1]).toFixed(1)}`
  return [
    `<text x="${String(MARGIN)}" y="22" font-weight="bold">${title}</text>`,
    ...powers(left, right).map((size) => label(x(size), HEIGHT - 20, 'middle', size)),
    ...powers(low, high).map((cost) => line(y(cost)) + label(MARGIN - 6, y(cost) + 4, 'end', cost)),
    `<polyline points="${pairs.map(at).join(' ')}" fill="none" stroke="#1f6feb" stroke-width="2"/>`,
    ...pairs.map(
      (pair) =>
        `<circle cx="${x(pair[0]).toFixed(1)}" cy="${y(pair[1]).toFixed(1)}" r="3.5" fill="#1f6feb"/>` +
        `<text x="${x(pair[0]).toFixed(1)}" y="${(y(pair[1]) - 8).toFixed(1)}" text-anchor="end">${pair[1].toPrecision(3)}</text>`,
    ),
  ].join('\n')
}

const powersAround = (values: readonly number[]): [number, number] => {
  const logs = values.map((value) => Math.log10(value))
  const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))]
  return [low, high > low ? high : low + 1]
}

const powers = (low: number, high: number): number[] =>
  Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))

const place = (
  value: number,
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): number => from + ((value - low) / (high - low)) * (to - from)

const label = (x: number, y: number, anchor: string, value: number): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="#57606a">${value.toLocaleString('en')}</text>`

const line = (y: number): string =>
  `<line x1="${String(MARGIN)}" x2="${String(WIDTH - 20)}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}" stroke="#d0d7de"/>`
