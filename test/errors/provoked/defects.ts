import type { Table } from '../support/provocation.ts'

/** What no other class describes. */
export const defects: Table = {
  InternalError: [
    {
      // No known input does it, so that a part of the world around the command breaks in a way nobody foresaw.
      when: 'a clock throws what no class describes',
      meet: ({ runIn }) =>
        runIn(
          {
            now: () => {
              throw new TypeError('no such clock')
            },
          },
          'plan',
        ),
      where: /^ {2}TypeError: no such clock\n {4}at /m,
    },
  ],
}
