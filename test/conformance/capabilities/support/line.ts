import { describe, expect, it } from 'vitest'
import { specimens } from '../specimens/index.ts'
import { begin, type Scene } from './scene.ts'
import type { Specimen } from './specimen.ts'

/** Shows a part of one cell. */
export interface Case {
  readonly title: string
  readonly fixture?: object
  readonly settings?: Readonly<Record<string, string>>
  readonly show: (scene: Scene) => Promise<void>
}

/** A line of the capability tables, or a list of a kind's page, with what shows it of each kind. */
export interface Line {
  /** As the table says it. */
  readonly word: string
  readonly cases: (specimen: Specimen) => readonly Case[]
}

/** Every kind of the registry: one without a specimen is a case that fails. */
export const showOfEveryKind = ({ word, cases }: Line): void => {
  for (const specimen of specimens) {
    const all = cases(specimen)
    // A kind without guards has no list of them.
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
