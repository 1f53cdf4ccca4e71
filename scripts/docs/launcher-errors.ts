/** What the launcher in plain CommonJS says before any class can be loaded (reconciler/bin/, the provider's own, and scripts/release/launcher/). */
export const launcherErrors: Readonly<Record<string, { readonly meaning: string; readonly remedy: string }>> =
  {
    'DM-NODE-VERSION': {
      meaning: 'The Node.js that runs deploymgmt, or its Terraform provider, is older than they need.',
      remedy: 'Install a version that the message names.',
    },
    'DM-RUNTIME': {
      meaning:
        'An executable of a release, of the command or of the Terraform provider, does not find the files that belong to it.',
      remedy: 'Unpack the whole archive anew, and keep the executable and the folder lib beside it together.',
    },
    'DM-NOT-BUILT': {
      meaning: 'The command of a checkout was run before it was compiled.',
      remedy: 'Run npm run build in the checkout.',
    },
  }
