import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { terraformMutants } from '../terraform/histories/mutants.ts'
import { mutants } from './mutants.ts'

const root = join(import.meta.dirname, '..', '..')

it.each([...mutants, ...terraformMutants].map((mutant) => [mutant.name, mutant] as const))(
  'the defect "%s" can still be put into the sources',
  (_, { file, from, to }) => {
    const pieces = readFileSync(join(root, file), 'utf8').split(from)
    expect(pieces).toHaveLength(2)
    expect(to).not.toBe(from)
  },
)
