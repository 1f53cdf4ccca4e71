import type { Client } from '@deploymgmt/provider/api'
import { mayBeRead, print, type Io } from '../../io.ts'
import { rendererOf } from '../../render/formats.ts'
import type { Reports } from '../../render/document/reports.ts'
import { duration, showTime } from '../../text/instants.ts'
import { showValue } from '../../text/values.ts'
import { UsageError } from '../../errors/index.ts'
import { visible } from '../../text/display.ts'
import type { CommonOptions } from '../line/options.ts'
import { isPassing } from '../service/passing.ts'
import { canReplace } from '../output/live-line.ts'
import { styleOf } from '../output/report.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { withClient } from '../service/with-client.ts'

type Report = Reports['inventory']

interface WatchOptions extends CommonOptions {
  /** Milliseconds. */
  readonly every: number
}

/**
 * Looks repeatedly until interrupted, or until nobody reads it any more (`| head`): a terminal is redrawn, anything else
 * gets a line for each change.
 */
export const watch = async (
  io: Io,
  options: WatchOptions,
  look: (client: Client) => Promise<Report>,
): Promise<number> => {
  const { format, output, every } = options
  if (format !== 'text' || output !== undefined)
    throw new UsageError('--watch shows text, and only on stdout', {
      hint: 'Leave --format and --output out.',
    })
  const end = new AbortController()
  const stopListening = io.onInterrupt(() => end.abort())
  const { pause } = systemOf(io)
  const show = canReplace(io.stdout, io) ? await redrawing(io, options) : changes(io)
  try {
    await withClient(
      io,
      options,
      async (client) => {
        const again = againWith(io, every)
        await show(await look(client))
        while (mayBeRead(io.stdout)) {
          await pause(every, end.signal)
          await again(async () => show(await look(client)))
        }
      },
      { signal: end.signal },
    )
  } catch (error) {
    // Everything under way was aborted on purpose.
    if (!end.signal.aborted) throw error
  } finally {
    stopListening()
  }
  return 0
}

/** After the first answer, an unavailable service does not end the watch; the reason is printed once. */
const againWith = (io: Io, every: number): ((look: () => Promise<void>) => Promise<void>) => {
  let said: string | undefined
  return async (look) => {
    try {
      await look()
      said = undefined
    } catch (error) {
      if (!isPassing(error)) throw error
      if (error.message !== said)
        await tell(
          io,
          `${showTime(io.now())} the service does not answer as it should; asking again every ${duration(every)}: ${error.message}`,
        )
      said = error.message
    }
  }
}

const CLEAR = '\u001B[H\u001B[2J'

const redrawing = async (io: Io, options: CommonOptions): Promise<(report: Report) => Promise<void>> => {
  const render = await rendererOf('inventory', 'text')
  return (report) => print(io.stdout, `${CLEAR}${render(report, styleOf(io, options)) ?? ''}`)
}

/** Prints the first report, then what was added and what was removed. */
const changes = ({ stdout }: Io): ((report: Report) => Promise<void>) => {
  let before: ReadonlySet<string> = new Set()
  let isFirst = true
  return async (report) => {
    const { document } = report
    // Rows that could not be read this time are not known to be gone.
    const unread = document.refused.map(({ source }) => `${source}: `)
    const isUnread = (row: string): boolean => unread.some((start) => row.startsWith(start))
    const rows = new Set([...rowsIn(report), ...[...before].filter(isUnread)])
    const at = showTime(new Date(document.at))
    const lines = [
      ...[...rows].filter((row) => !before.has(row)).map((row) => `${at} + ${row}`),
      ...[...before].filter((row) => !rows.has(row)).map((row) => `${at} - ${row}`),
    ]
    if (isFirst && lines.length === 0) lines.push(`${at} nothing to tell`)
    before = rows
    isFirst = false
    if (lines.length > 0) await print(stdout, lines.join('\n'))
  }
}

const rowsIn = ({ tables, document: { refused } }: Report): string[] => [
  ...tables.flatMap(({ name, rows }) =>
    rows.map((row) => {
      const cells = Object.entries(row).filter(
        ([, value]) => value !== undefined && value !== null && value !== '',
      )
      return visible(`${name}: ${cells.map(([title, value]) => `${title} ${showValue(value)}`).join(', ')}`)
    }),
  ),
  ...refused.map(({ source, of, message }) => visible(`${source}: ${of} is not readable: ${message}`)),
]
