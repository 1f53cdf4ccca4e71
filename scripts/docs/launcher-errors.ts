/** What the launcher in plain CommonJS says before any class can be loaded (reconciler/bin/, and the provider's own). */
export const launcherErrors: Readonly<Record<string, { readonly meaning: string; readonly remedy: string }>> =
  {
    'DM-NODE-VERSION': {
      meaning: 'The Node.js that runs deploymgmt, or its Terraform provider, is older than they need.',
      remedy: 'Install a version that the message names.',
    },
    'DM-NOT-BUILT': {
      meaning: 'The command of a checkout was run before it was compiled.',
      remedy: 'Run npm run build in the checkout.',
    },
  }
