/**
 * Errors of the launchers in plain CommonJS, before any class can be loaded (reconciler/bin/, the provider's own,
 * and scripts/release/launcher/).
 */
export const launcherErrors: Readonly<Record<string, { readonly meaning: string; readonly remedy: string }>> =
  {
    'DM-NODE-VERSION': {
      meaning: 'The installed Node.js is too old for deploymgmt or its Terraform provider.',
      remedy: 'Install a version that the message names.',
    },
    'DM-RUNTIME': {
      meaning:
        'A release executable, of the command or of the Terraform provider, does not find the files that belong to it.',
      remedy: 'Unpack the whole archive again, and keep the lib folder beside the executable.',
    },
    'DM-NOT-BUILT': {
      meaning: 'The command was run in a checkout that had not been built.',
      remedy: 'Run npm run build in the checkout.',
    },
  }
