/**
 * Files that take most of a minute of a processor, or that wait for long; the longest first. Without earlier results,
 * files are started by size, so long ones with few lines would come last.
 */
export const LONG_FILES: readonly string[] = [
  'test/world/trouble.test.ts',
  'test/world/others.test.ts',
  'test/reconciler/state/delayed.test.ts',
  'test/reconciler/state/stores/conformance.test.ts',
  'test/reconciler/state/stores/git.test.ts',
  'test/reconciler/state/cut-off.test.ts',
  'test/hostile/mutated-manifests.test.ts',
  'test/hostile/faults.test.ts',
  'test/hostile/mutated-answers.test.ts',
  'test/constructs/starter.test.ts',
  'test/protocol/model.test.ts',
  'test/end-to-end/adopt.test.ts',
  'test/reconciler/state/rescue.test.ts',
  'test/reconciler/state/copy.test.ts',
]
