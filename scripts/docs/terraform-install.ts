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
  'The provider is in no registry. A [release](install.md#the-provider) has a package for each platform. On Linux and Windows it needs nothing else on the machine; on macOS it needs Node.js 22.18 or later on `PATH` as `node`. You can build the same packages from this checkout:',
  block('sh', 'npm ci && npm run package:provider\n'),
  'This writes `dist/mirror/`, from which Terraform can install, and `dist/release/`, with the zips, their sums and the manifest for a private registry. `npm run package:provider -- --platform linux_amd64` does so for one platform. If [`npm run release`](install.md#making-a-release) has written a whole release into `dist/release/`, that is left as it is, and other packages of the provider are refused.',
  'Configure the mirror in `~/.terraformrc` (`%APPDATA%\\terraform.rc` on Windows), or in a file that `TF_CLI_CONFIG_FILE` names:',
  block('hcl', CLI_CONFIGURATION),
  '`terraform init` then installs the provider and locks its sum. For a lock file that other platforms share, run:',
  block(
    'sh',
    'terraform providers lock -fs-mirror=/path/to/this/checkout/dist/mirror -platform=linux_amd64 -platform=darwin_arm64 deploymgmt/deploymgmt\n',
  ),
  bullets([
    'The mirror holds each platform in two forms, and either is enough: unpacked (`…/deploymgmt/deploymgmt/VERSION/PLATFORM/`), which `terraform init` links to and prefers, and as a zip (`…/deploymgmt/deploymgmt/terraform-provider-deploymgmt_VERSION_PLATFORM.zip`), which it unpacks into each working folder. Both have the same sum in a lock file. A zip keeps the modes of its files when you copy it to another machine.',
    '`terraform providers mirror` cannot create a mirror: it asks the registry in the provider’s address, which does not have the provider.',
    'To work on the provider, `npm run --silent terraform:dev > dev.tfrc` bundles it into `dist/dev/` and writes settings with `dev_overrides`. Set `TF_CLI_CONFIG_FILE` to the path of that file, and run `terraform plan` without `terraform init`. Everything that needs `terraform init` needs the mirror: a configuration with a backend (each CDKTF stack has one), with modules or with other providers, and `terraform test`.',
  ]),
]
