import { TerraformVariable, type TerraformVariableConfig } from 'cdktf'
import type { Construct } from 'constructs'

/** What a secret variable can say of itself; it never has a default, which would stand in what synthesis writes. */
export type SecretVariableConfig = Pick<TerraformVariableConfig, 'description'>

/**
 * A variable for a password: `TF_VAR_name` sets it, for a plan and again for the apply of a saved plan. It is
 * ephemeral, for Terraform writes all others into saved plans, sensitive ones too, as they are.
 */
export class SecretVariable extends TerraformVariable {
  constructor(scope: Construct, id: string, { description }: SecretVariableConfig = {}) {
    super(scope, id, {
      type: 'string',
      sensitive: true,
      ...(description === undefined ? {} : { description }),
    })
    // The library does not know the word.
    this.addOverride('ephemeral', true)
  }
}
