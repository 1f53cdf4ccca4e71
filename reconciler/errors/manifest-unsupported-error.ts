import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A Terraform configuration in JSON, as `cdktf synth` writes it, was named together with other files. */
export class ManifestUnsupportedError extends DeploymgmtError {
  static readonly code = 'DM-MANIFEST-UNSUPPORTED'
  static readonly meaning =
    'A Terraform configuration in JSON (cdk.tf.json) was named together with other files; it is a declaration by itself.'
  static readonly remedy = 'Name it alone: one stack is one declaration, with a state of its own.'

  override readonly code = ManifestUnsupportedError.code
}
