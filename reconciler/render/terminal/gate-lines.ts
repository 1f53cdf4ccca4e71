import { indented, proseLines, span, type Line } from '../../text/lines.ts'
import { proseRoom, type Style } from '../../text/style.ts'
import type { ReportedGate } from '../document/plan-model.ts'
import { belowGate, sayGate } from '../wording/gates.ts'

/** The gates of projects; a closed one with everything that closes it. */
export const gateLines = (gates: readonly ReportedGate[] = [], style: Style): Line[] => {
  const room = proseRoom(style)
  return gates.flatMap((said) => {
    const { open } = said
    const below = belowGate(said)
    const [first = [], ...others] = proseLines(sayGate(said).slice(GATE.length), room - GATE.length)
    return [
      [span(GATE, open ? 'strong' : 'alarm'), ...first],
      ...indented(GATE.length, others),
      ...below.flatMap((text) => indented(2, proseLines(text, room - 2))),
    ]
  })
}

const GATE = 'gate '
