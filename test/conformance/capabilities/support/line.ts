import { describe, expect, it } from 'vitest'
import { specimens } from '../specimens/index.ts'
import { begin, type Scene } from './scene.ts'
import type { Specimen } from './specimen.ts'

/** Shows part of one cell of the table. */
export interface Case {
  readonly title: string
  readonly fixture?: object
  readonly settings?: Readonly<Record<string, string>>
  readonly show: (scene: Scene) => Promise<void>
}

/** A line of the capability tables, or a list on a kind's page, with the cases that show it for each kind. */
export interface Line {
  /** The heading in the table. */
  readonly word: string
  readonly cases: (specimen: Specimen) => readonly Case[]
}

/** Runs the cases of a line for every kind. */
export const showOfEveryKind = ({ word, cases }: Line): void => {
  for (const specimen of specimens) {
    const all = cases(specimen)
    // A kind without guards has no cases here.
    if (all.length === 0) continue
    describe(`${word} of the kind ${specimen.kind.kind}`, () => {
      it.each(all.map((each) => [each.title, each] as const))('%s', async (_, { show, ...options }) => {
        expect.hasAssertions()
        const scene = await begin(specimen, options)
        await show(scene)
      })
    })
  }
}
