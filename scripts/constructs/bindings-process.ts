import { text } from 'node:stream/consumers'
import { TerraformProviderGenerator } from '@cdktf/provider-generator/lib/get/generator/provider-generator.js'
import { CodeMaker } from 'codemaker'
import { PROVIDER_ADDRESS } from '../../provider/terraform/provider-address.ts'
import type { BindingsOrder } from './bindings.ts'

// The package's main entry needs jsii, which translates bindings into other languages; this class does not.
type Schema = ConstructorParameters<typeof TerraformProviderGenerator>[1]
type Target = Parameters<TerraformProviderGenerator['generate']>[0]

const { schema, version, folder } = JSON.parse(await text(process.stdin)) as BindingsOrder

const generator = new TerraformProviderGenerator(new CodeMaker(), {
  ...(schema as Schema),
  provider_versions: { [PROVIDER_ADDRESS]: version },
})
generator.generate({
  isModule: false,
  isProvider: true,
  name: 'deploymgmt',
  source: 'deploymgmt/deploymgmt',
  version,
} as Target)
await generator.save(folder)
