import { normalizeBaseUrl, type Environment } from '@deploymgmt/provider/api'
import type { FieldType } from '@deploymgmt/provider/core'
import { check, isAdvice } from '@deploymgmt/provider/core/check'
import { quoted } from '../../text/display.ts'
import { broughtBy } from '../evaluation/brought.ts'
import { showing, wordingOf } from '../evaluation/wording.ts'
import type { Checked } from './checked.ts'
import type { ProviderValue, Translated } from '../terraform-json/index.ts'

/**
 * The organization that the provider block names for events. What the block says about the service must agree with
 * the environment, because credentials come from there. An empty text counts as omitted, as in Terraform.
 */
export const organizationOf = (
  { provider }: Translated,
  checked: Checked,
  env: Environment,
): string | undefined => {
  const { report } = checked
  const compare = (own: ProviderValue, name: string, plain: (text: string) => string): void => {
    const [said, set] = [textOf(valueOf(own, { is: 'string' }, checked)), env[name]]
    if (own.node === undefined || said === undefined || set === undefined || set === '') return
    if (plain(said) === plain(set)) return
    const message = `${quoted(plain(said))} is not what ${name} says: ${quoted(plain(set))}`
    report.add(own.node, { path: own.path, message })
  }
  compare(provider.baseUrl, 'DEPLOYMGMT_BASE_URL', normalizeBaseUrl)
  compare(provider.publicKey, 'DEPLOYMGMT_PUBLIC_KEY', (text) => text)
  return idOf(provider.orgId, checked)
}

/** The value that is given; undefined for none, and for one that is not known. */
const valueOf = ({ node, path }: ProviderValue, type: FieldType, { evaluator }: Checked): unknown => {
  const value = node === undefined ? undefined : evaluator.valueOf(node, type, path)
  return value === '' || (node !== undefined && evaluator.isUnknown(node)) ? undefined : value
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const ID: FieldType = { is: 'id' }

const idOf = (own: ProviderValue, checked: Checked): string | undefined => {
  const { node, path } = own
  const { evaluator, report, secrets } = checked
  const id = valueOf(own, ID, checked)
  if (node === undefined || id === undefined) return undefined
  const saying = { how: showing(node, secrets), nearest: () => undefined }
  for (const problem of check(ID, id))
    report.add(node, {
      severity: isAdvice(problem) ? 'warning' : 'error',
      path,
      ...wordingOf(problem, saying),
      also: broughtBy(evaluator, node),
    })
  return textOf(id)
}
