import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The file is a Terraform configuration in JSON, as `cdktf synth` writes it. */
export class ManifestUnsupportedError extends DeploymgmtError {
  static readonly code = 'DM-MANIFEST-UNSUPPORTED'
  static readonly meaning =
    'The file is a Terraform configuration in JSON (cdk.tf.json), which this version does not take as a manifest.'
  static readonly remedy = 'Use it with Terraform, or declare the same in a deploymgmt.yaml.'

  override readonly code = ManifestUnsupportedError.code
}
