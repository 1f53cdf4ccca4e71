import type { Table } from '../support/provocation.ts'

/** Errors that no other class describes. */
export const defects: Table = {
  InternalError: [
    {
      // No known input causes one, so something around the command breaks in an unforeseen way.
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
