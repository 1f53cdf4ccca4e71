import { wallClockAt } from '@deploymgmt/provider/core'

/** `03:00 Europe/Madrid`, with the day if it differs from that in UTC. */
export const localTime = (at: number, zone: string): string => {
  const [day = '', time = ''] = wallClockAt(at, zone).split('T')
  const short = time.replace(/:00$/, '')
  return `${day === new Date(at).toISOString().slice(0, 10) ? '' : `${day} `}${short} ${zone}`
}
