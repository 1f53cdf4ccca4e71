import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONG_FILES } from './long-files.ts'

const rankOf = ({ project, moduleId }: TestSpecification): number => {
  const rank = LONG_FILES.indexOf(relative(project.config.root, moduleId).replaceAll('\\', '/'))
  return rank === -1 ? LONG_FILES.length : rank
}

/** Starts the files that take longest first: started last, one would still run when all other workers have ended. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    return usual.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
