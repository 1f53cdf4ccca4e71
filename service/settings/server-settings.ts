import { choice } from './setting.ts'

/** The three settings that the API description itself names. */
export const serverSettings = {
  'service.email.validation': choice(
    ['false', 'loose', 'strict'],
    'How a username is checked on creation: `false` not at all, `loose` for an @ followed later by a period, `strict` for an email address.',
    [11],
  ),
  'service.user.bypassInviteForExistingUsers': choice(
    ['false', 'true'],
    'With `true`, a new organization or project role of an existing user takes effect at once, without an invitation.',
    [9],
  ),
  'alertingA.api.url': {
    values: ['', 'URL'],
    accepts: (value: string) => value === '' || /^https?:\/\/[^\s]+$/.test(value),
    default: '',
    meaning: 'The address of ALERTING_A; without it an ALERTING_A integration cannot have the region EU.',
    endpoints: [17],
  },
} as const
