import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

const report = process.env['DEPLOYMGMT_TEST_REPORT']
const conditions = ['@deploymgmt/source', 'node', 'module', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Tests start real processes and real HTTP servers; two workers keep a two-core machine honest.
    maxWorkers: 2,
    // The sources are loaded once a worker, not once a file: a test that changes what is global puts it back.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // .ci/run counts passed and failed tests from this file.
    ...(report === undefined ? {} : { reporters: ['default', ['json', { outputFile: report }]] }),
  },
})
