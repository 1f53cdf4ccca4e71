import { duration, took } from '../../text/instants.ts'
import { hanging, indented, line, printedLines, span } from '../../text/lines.ts'
import { proseRoom, type Style } from '../../text/style.ts'
import type { Reports } from '../document/reports.ts'

/** That the condition holds, or the obstacles by project. */
export const renderWaited = ({ document }: Reports['waited'], style: Style): string => {
  const { goal, reached, seconds, timeoutSeconds, projects } = document
  if (reached) return printedLines([line(`Reached: ${goal} · ${took(seconds)}`)], style)
  const room = proseRoom(style)
  const lines = projects
    .filter((each) => !each.reached)
    .flatMap(({ project, projectId, hindrances }) => [
      [span(project ?? projectId, 'strong')],
      ...hindrances.flatMap(({ says }) => indented(2, hanging(says, room - 2))),
    ])
  return printedLines(
    [line(`Not reached within ${duration(timeoutSeconds * 1000)}: ${goal}`), ...lines],
    style,
  )
}
