import { RequestError } from './request-error.ts'

/** The credentials are good, this request is not permitted to them (403, or 401 after a success). */
export class ForbiddenError extends RequestError {
  static override readonly code = 'DM-FORBIDDEN'
  static override readonly meaning =
    'The credentials are accepted, but they lack the permission for this request. Other requests go on.'
  static override readonly remedy =
    'Give the key a role that permits this request, or remove the thing from the manifest.'

  /** What to do about a refused reading, given what the API's description asks of the key. */
  static readonly advice = (keyNeeds: string | undefined): string =>
    keyNeeds === undefined
      ? 'Give the key a role that permits this reading; the description of the API names none for it.'
      : `The key needs ${keyNeeds}.`
}
