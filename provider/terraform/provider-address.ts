/**
 * The provider's address, as `required_providers` and schema documents spell it. In a file of its own, because the
 * plugin's start loads nothing that its handshake does not need.
 */
export const PROVIDER_ADDRESS = 'registry.terraform.io/deploymgmt/deploymgmt'
