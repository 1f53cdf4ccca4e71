import { line, span, type Line } from '../../text/lines.ts'
import type { Style } from '../../text/style.ts'
import { resolveCommands, type Lost } from '../wording/resolve-commands.ts'

/** The commands that settle a request, for a person, who alone can check whether the request took effect. */
export const resolveLines = (
  address: string,
  lost: Lost,
  { sameFlags = '' }: Pick<Style, 'sameFlags'>,
): Line[] => {
  const labels = lost.wasCreation
    ? ['it is there:      ', 'it is not there:  ']
    : ['if it says that it cannot:  ']
  return resolveCommands(address, lost, sameFlags).map((command, index) => [
    span(labels[index] ?? '', 'dim'),
    ...line(command),
  ])
}
