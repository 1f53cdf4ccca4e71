/**
 * Files that start hundreds of processes, nearly all of them git. To start one copies the page tables of the worker, and
 * in a worker that has run other files that takes as long as git itself: each of these files has a worker of its own.
 */
export const MANY_PROCESSES: readonly string[] = [
  'test/crash/lost-disks.test.ts',
  'test/reconciler/state/delayed.test.ts',
  'test/reconciler/state/stores/git.test.ts',
  'test/reconciler/state/stores/conformance.test.ts',
  'test/crash/written-ahead.test.ts',
  'test/reconciler/state/cut-off.test.ts',
  'test/reconciler/state/rescue.test.ts',
  'test/end-to-end/git-state.test.ts',
  'test/reconciler/state/copy.test.ts',
]

/**
 * Files that take long; the longest first. Without earlier results, files are started by size, so long ones with few
 * lines would come last.
 */
export const LONG_FILES: readonly string[] = [
  'test/world/others.test.ts',
  'test/world/trouble.test.ts',
  ...MANY_PROCESSES,
  'test/release/release.test.ts',
  'test/hostile/mutated-answers.test.ts',
  'test/terraform/histories.test.ts',
  'test/end-to-end/pipelines.test.ts',
  'test/reconciler/render/html-safety.test.ts',
  'test/end-to-end/rescue.test.ts',
  'test/terraform/life.test.ts',
  'test/hostile/faults.test.ts',
  'test/crash/many-runners.test.ts',
  'test/protocol/model.test.ts',
  'test/reconciler/render/html-use.test.ts',
]
