import { block, bullets } from './markdown.ts'

/** Terraform's own settings, as in the README. */
const CLI_CONFIGURATION = `provider_installation {
  filesystem_mirror {
    path    = "/path/to/this/checkout/dist/mirror"
    include = ["deploymgmt/deploymgmt"]
  }
  direct {
    exclude = ["deploymgmt/deploymgmt"]
  }
}
`

/** How Terraform gets the provider, which is in no registry. */
export const terraformInstall = (): string[] => [
  '## Installing it',
  'The provider is not in a registry. A [release](install.md#the-provider) has a package for each platform. On Linux and Windows, the package needs nothing else on the machine. On macOS, it needs Node.js 22.21, 24.11, 26 or later on `PATH` as `node`. You can also build the packages from this checkout:',
  block('sh', 'npm ci && npm run package:provider\n'),
  'This writes two folders. Terraform can install from `dist/mirror/`. The zips, their checksums and the manifest for a private registry are in `dist/release/`. To build for one platform only, run `npm run package:provider -- --platform linux_amd64`. If `dist/release/` already has a whole release, written by [`npm run release`](install.md#making-a-release), it is left as it is, and building other packages of the provider is refused.',
  'Configure the mirror in `~/.terraformrc` (`%APPDATA%\\terraform.rc` on Windows), or in a file that `TF_CLI_CONFIG_FILE` names:',
  block('hcl', CLI_CONFIGURATION),
  '`terraform init` then installs the provider and records its checksum in the lock file. If several platforms share the lock file, run:',
  block(
    'sh',
    'terraform providers lock -fs-mirror=/path/to/this/checkout/dist/mirror -platform=linux_amd64 -platform=darwin_arm64 deploymgmt/deploymgmt\n',
  ),
  bullets([
    'The mirror has each platform in two forms, and either is enough. The unpacked form is in `…/deploymgmt/deploymgmt/VERSION/PLATFORM/`; `terraform init` prefers it and links to it. The zip is `…/deploymgmt/deploymgmt/terraform-provider-deploymgmt_VERSION_PLATFORM.zip`; `terraform init` unpacks it into each working folder. Both have the same checksum in a lock file. A zip keeps the file modes when you copy it to another machine.',
    '`terraform providers mirror` cannot create a mirror, because it asks the registry in the provider’s address, and that registry does not have the provider.',
    'OpenTofu has not been tried: everything here is tested with Terraform 1.11. Where an address names no host, OpenTofu takes its own registry’s, and the mirror has the provider under Terraform’s. So write `registry.terraform.io/deploymgmt/deploymgmt` in `source`, `include` and `exclude`, and put the settings into `~/.tofurc`.',
    'To work on the provider, run `npm run --silent terraform:dev > dev.tfrc`. This bundles the provider into `dist/dev/` and writes a configuration with `dev_overrides`. Set `TF_CLI_CONFIG_FILE` to the path of that file, and run `terraform plan` without `terraform init`. Whatever needs `terraform init` needs the mirror: a configuration with a backend (each CDKTF stack has one), with modules or with other providers, and `terraform test`.',
  ]),
]
