import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { MANY_PROCESSES } from './test/support/long-files.ts'
import { LongestFirst } from './test/support/longest-first.ts'

const report = process.env['DEPLOYMGMT_TEST_REPORT']
const conditions = ['@deploymgmt/source', 'node', 'module', 'default']
const all = 'test/**/*.test.ts'

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      // The sources are loaded once a worker, not once a file: a test that changes what is global puts it back.
      {
        extends: true,
        test: { name: 'shared', include: [all], exclude: [...MANY_PROCESSES], isolate: false },
      },
      { extends: true, test: { name: 'alone', include: [...MANY_PROCESSES], isolate: true } },
    ],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/random-values.ts'],
    // Tests start real processes and real HTTP servers, and each worker loads all sources: four are enough.
    maxWorkers: Math.min(Math.max(availableParallelism(), 2), 4),
    sequence: { sequencer: LongestFirst },
    // No test is about time: only what hangs is given up, also on a machine that is ten times as slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // .ci/run counts passed and failed tests from this file.
    ...(report === undefined ? {} : { reporters: ['default', ['json', { outputFile: report }]] }),
  },
})
