/**
 * Bundles the provider and prints a Terraform CLI configuration that uses it instead of any installed one. Run by
 * `npm run terraform:dev`.
 */
import { join } from 'node:path'
import { PROVIDER_ADDRESS } from '../../provider/terraform/provider-address.ts'
import { bundleProvider } from './bundle.ts'
import { ENTRY } from './release.ts'

const folder = join(import.meta.dirname, '..', '..', 'dist', 'dev')

await bundleProvider(ENTRY, join(folder, 'terraform-provider-deploymgmt.cjs'))
process.stdout.write(`# Save this to a file, and set TF_CLI_CONFIG_FILE to its path.
provider_installation {
  dev_overrides {
    ${JSON.stringify(PROVIDER_ADDRESS)} = ${JSON.stringify(folder)}
  }
  direct {}
}
`)
