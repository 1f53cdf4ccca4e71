import { invalid } from '../errors.ts'
import type { Settings } from '../settings/settings.ts'

const atom = String.raw`[a-z\d!#$%&'*+/=?^_{|}~` + '`-]+'
const label = String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`
const email = new RegExp(String.raw`^${atom}(?:\.${atom})*@(?:${label}\.)+${label}$`, 'i')

/** Checks a username against the server setting service.email.validation (endpoint 11). */
export const checkUsername = (username: string, settings: Settings): void => {
  const rule = settings.get('service.email.validation')
  const isValid =
    username !== '' &&
    (rule === 'false' ||
      (rule === 'loose' && hasAtThenPeriod(username)) ||
      (rule === 'strict' && username.length <= 254 && email.test(username)))
  if (!isValid)
    throw invalid('INVALID_USERNAME', 'The username does not have the form that the server requires.', [
      'username',
    ])
}

/** `loose`: an @ followed later by a period. */
const hasAtThenPeriod = (username: string): boolean => {
  const at = username.indexOf('@')
  return at >= 0 && username.includes('.', at + 1)
}

/** Checks a password against open.passwordRule (endpoint 11). */
export const checkPassword = (password: string, settings: Settings): void => {
  const isStrong = [/.{8}/su, /\p{L}/u, /\d/, /[^\p{L}\d]/u].every((rule) => rule.test(password))
  if (settings.get('open.passwordRule') === 'strong' ? isStrong : password !== '') return
  throw invalid('WEAK_PASSWORD', 'The password is too weak.', ['password'])
}
