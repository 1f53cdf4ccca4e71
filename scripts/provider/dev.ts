/**
 * Bundles the provider and prints a Terraform CLI configuration that uses it in place of any installed one.
 * Run by `npm run terraform:dev`.
 */
import { join } from 'node:path'
import { bundleProvider } from './bundle.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'dist', 'dev')

await bundleProvider(
  join(root, 'provider', 'terraform', 'main.ts'),
  join(folder, 'terraform-provider-deploymgmt.cjs'),
)
process.stdout.write(`# Save this to a file, and set TF_CLI_CONFIG_FILE to its path.
provider_installation {
  dev_overrides {
    "registry.terraform.io/deploymgmt/deploymgmt" = ${JSON.stringify(folder)}
  }
  direct {}
}
`)
