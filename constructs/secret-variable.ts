import { TerraformVariable, type TerraformVariableConfig } from 'cdktf'
import type { Construct } from 'constructs'

/** The settings of a secret variable. It has no default, because that would be in the output of synthesis. */
export type SecretVariableConfig = Pick<TerraformVariableConfig, 'description'>

/**
 * A variable for a password: `TF_VAR_name` sets it, for a plan and again for the apply of a saved plan. It is
 * ephemeral, because Terraform writes all other variables into saved plans, even sensitive ones in plain text.
 */
export class SecretVariable extends TerraformVariable {
  constructor(scope: Construct, id: string, { description }: SecretVariableConfig = {}) {
    super(scope, id, {
      type: 'string',
      sensitive: true,
      ...(description === undefined ? {} : { description }),
    })
    // The library does not support the property.
    this.addOverride('ephemeral', true)
  }
}
