import { block, bullets } from './markdown.ts'

/** Terraform's own settings; the README shows the same. */
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

/** How the provider comes to Terraform, which finds it in no registry. */
export const terraformInstall = (): string[] => [
  '## Installing it',
  'It is in no registry. A [release](install.md#the-provider) has a package for each platform; on Linux and Windows it needs nothing else on the machine, and on macOS a Node.js 22.18 or later on `PATH` as `node`. The same packages come from this checkout:',
  block('sh', 'npm ci && npm run package:provider\n'),
  'That writes `dist/mirror/`, which Terraform can install from, and `dist/release/`, with the zips, their sums and the manifest that a private registry takes; `npm run package:provider -- --platform linux_amd64` does so for one platform. Where [`npm run release`](install.md#making-a-release) has written all of a release into `dist/release/`, it is left as it is, and other packages of the provider are refused. Tell Terraform of the mirror in `~/.terraformrc` (`%APPDATA%\\terraform.rc` on Windows), or in a file that `TF_CLI_CONFIG_FILE` names:',
  block('hcl', CLI_CONFIGURATION),
  '`terraform init` then installs it and locks its sum. For a lock file that other platforms share:',
  block(
    'sh',
    'terraform providers lock -fs-mirror=/path/to/this/checkout/dist/mirror -platform=linux_amd64 -platform=darwin_arm64 deploymgmt/deploymgmt\n',
  ),
  bullets([
    'The mirror holds each platform twice, and each form does alone: unpacked (`…/deploymgmt/deploymgmt/VERSION/PLATFORM/`), which `terraform init` links to and prefers, and as a zip (`…/deploymgmt/deploymgmt/terraform-provider-deploymgmt_VERSION_PLATFORM.zip`), which it unpacks into each working folder. Both have the same sum in a lock file. A zip copies to another machine with the modes of its files.',
    '`terraform providers mirror` cannot make one: it asks the registry that the provider’s address names, and nothing is there.',
    'To work on the provider, `npm run --silent terraform:dev > dev.tfrc` bundles it into `dist/dev/` and writes settings with `dev_overrides`. Set `TF_CLI_CONFIG_FILE` to the path of that file, and run `terraform plan` without `terraform init`. What needs `terraform init` needs the mirror: a configuration with a backend (each stack of CDKTF has one), with modules or with other providers, and `terraform test`.',
  ]),
]
