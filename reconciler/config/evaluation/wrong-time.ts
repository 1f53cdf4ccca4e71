import type { ZonedTime } from '@deploymgmt/provider/core'
import { quoted } from '../../text/display.ts'

type Wrong = Exclude<ZonedTime, { readonly is: 'instant' }>
interface More {
  readonly suggestion?: string | undefined
  readonly allowed?: readonly string[]
}

/** The message about a wrong local time with a zone, with a suggestion. */
export const wrongTime = (text: string, time: Wrong): [message: string, more: More] => {
  switch (time.is) {
    case 'no-zone':
      return [
        `${quoted(time.zone)} is not an IANA time zone, such as Europe/Madrid`,
        { suggestion: time.meant },
      ]
    case 'unknown-tag':
      return [
        `${quoted(time.tag)} is marked with ! as needed to understand the time, and is not known here`,
        { suggestion: time.meant },
      ]
    case 'left-out':
      return [`${time.local} does not exist in ${time.zone}: clocks skip it`, { suggestion: time.meant }]
    case 'twice':
      return [
        `${time.local} exists twice in ${time.zone}, because clocks are set back: give its offset`,
        { allowed: time.meant },
      ]
    case 'another-offset':
      return [
        `${quoted(text)} has a different offset than its zone has at that time`,
        { allowed: time.meant },
      ]
  }
}
