import type { ServiceStartErrorCode } from '../../service/start-error.ts'

/** What an error means, and what to do. */
export interface Words {
  readonly meaning: string
  readonly remedy: string
}

/**
 * Why the embedded service can refuse to start. It shares no code with the client side, so its codes have no error
 * classes here; the type ensures that this table has all of them.
 */
export const serviceErrors: Readonly<Record<ServiceStartErrorCode, Words>> = {
  'DM-SERVE-SETTING': {
    meaning: 'A setting of the embedded service has an unknown name or a value that is not allowed.',
    remedy: 'See docs/service-settings.md.',
  },
  'DM-SERVE-FIXTURE': {
    meaning: 'The fixture is not YAML or JSON, or part of it does not have the form of a fixture.',
    remedy: 'Correct the places that the message names.',
  },
  'DM-SERVE-FIXTURE-FILE': {
    meaning: 'The fixture file cannot be read, or is larger than 256 MB.',
    remedy: 'Name a readable file with --fixture.',
  },
  'DM-SERVE-HOST': {
    meaning:
      'The embedded service cannot listen on this address, or other machines could reach it there without that being allowed.',
    remedy: 'Listen on 127.0.0.1, or follow the message.',
  },
  'DM-SERVE-PORT': {
    meaning: 'The embedded service cannot listen on this port.',
    remedy: 'Name a free port with --port, or use 0 for any free port.',
  },
  'DM-SERVE-DATA': {
    meaning: 'The data file of the embedded service cannot be opened or written.',
    remedy: 'Name a file in an existing, writable folder.',
  },
  'DM-SERVE-DATA-CORRUPT': {
    meaning: 'The data file of the embedded service is damaged. It was not changed.',
    remedy: 'Restore a copy, or name another file with --data.',
  },
  'DM-SERVE-DATA-VERSION': {
    meaning: 'The data file was written by another release of the embedded service, or by another program.',
    remedy: 'Use the release that wrote it, or name another file with --data.',
  },
  'DM-SERVE-DATA-IN-USE': {
    meaning: 'The data file is in use by another running service.',
    remedy: 'Stop that one, or name another file with --data.',
  },
}
