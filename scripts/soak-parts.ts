import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const OWN_PARTS = {
  kills: ['test/crash/many-lost.test.ts'],
  readings: ['test/crash/many-lost-readings.test.ts'],
  moments: ['test/crash/any-moment.test.ts'],
  disks: ['test/crash/lost-disks.test.ts'],
  runners: ['test/crash/many-runners.test.ts'],
  services: ['test/service/kill.test.ts'],
  saves: ['test/end-to-end/saves.test.ts'],
  protocol: ['test/protocol/model.test.ts', 'test/protocol/replay.test.ts'],
  answers: ['test/hostile/mutated-answers.test.ts'],
  manifests: ['test/hostile/mutated-manifests.test.ts'],
}

const hasProperties = (file: string): boolean => {
  const text = readFileSync(join(root, file), 'utf8')
  return text.includes(" from 'fast-check'\n") && /\b(?:assert|holds)[(<]/.test(text)
}

/** The files with properties that no other part tries. */
const values = (): string[] => {
  const others = new Set(Object.values(OWN_PARTS).flat())
  return globSync('test/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !others.has(file) && hasProperties(file))
    .toSorted()
}

/** The test files of each part of a soak. `CONTRIBUTING.md` describes the parts. */
export const soakParts = (): Readonly<Record<string, readonly string[]>> => ({
  ...OWN_PARTS,
  values: values(),
})
