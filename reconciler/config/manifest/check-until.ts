import { endOf, zonedTime } from '@deploymgmt/provider/core'
import { quoted } from '../../text/display.ts'
import { broughtBy } from '../evaluation/brought.ts'
import type { Checked } from './checked.ts'
import { locate } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import { wrongTime } from '../evaluation/wrong-time.ts'

/** Refuses an end that is neither a day nor an instant; values that are no text were reported already. */
export const checkUntil = ({ root, report, evaluator }: Checked, until: unknown, path: Path): void => {
  if (typeof until !== 'string' || until === '' || endOf(until) !== undefined) return
  const time = zonedTime(until)
  const [message, more] =
    time === undefined || time.is === 'instant' ? [neither(until), {}] : wrongTime(until, time)
  const { node } = locate(root, path)
  report.add(node, { path, message, also: broughtBy(evaluator, node), ...more })
}

const neither = (until: string): string =>
  `${quoted(until)} is neither a day, such as 2027-03-31, nor an instant, such as 2027-03-31T18:00:00Z`
