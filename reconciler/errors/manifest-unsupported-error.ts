import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A Terraform configuration in JSON, as `cdktf synth` writes it, was named together with other files. */
export class ManifestUnsupportedError extends DeploymgmtError {
  static override readonly code = 'DM-MANIFEST-UNSUPPORTED'
  static override readonly meaning =
    'A Terraform configuration in JSON (cdk.tf.json) was named together with other files, but it is a complete declaration by itself.'
  static override readonly remedy =
    'Name only that file: each stack is one declaration, with a state of its own.'
}
