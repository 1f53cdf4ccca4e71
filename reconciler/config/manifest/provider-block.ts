import { normalizeBaseUrl, type Environment } from '@deploymgmt/provider/api'
import { quoted } from '../../text/display.ts'
import type { Checked } from './checked.ts'
import type { ProviderValue, Translated } from '../terraform-json/index.ts'

/**
 * The organization that the provider block names for events. What the block says about the service must agree with
 * the environment, because credentials come from there.
 */
export const organizationOf = (
  { provider }: Translated,
  checked: Checked,
  env: Environment,
): string | undefined => {
  const { evaluator, report } = checked
  const textAt = ({ node, path }: ProviderValue): string | undefined => {
    const value = node === undefined ? undefined : evaluator.valueOf(node, { is: 'string' }, path)
    return node === undefined || evaluator.isUnknown(node) || typeof value !== 'string' ? undefined : value
  }
  const compare = (own: ProviderValue, name: string, plain: (text: string) => string): void => {
    const [said, set] = [textAt(own), env[name]]
    if (own.node === undefined || said === undefined || set === undefined || set === '') return
    if (plain(said) === plain(set)) return
    const message = `${quoted(plain(said))} is not what ${name} says: ${quoted(plain(set))}`
    report.add(own.node, { path: own.path, message })
  }
  compare(provider.baseUrl, 'DEPLOYMGMT_BASE_URL', normalizeBaseUrl)
  compare(provider.publicKey, 'DEPLOYMGMT_PUBLIC_KEY', (text) => text)
  return textAt(provider.orgId)
}
