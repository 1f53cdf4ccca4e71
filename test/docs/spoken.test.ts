import { expect, it } from 'vitest'
import type { Command } from 'commander'
import { programFor } from '../../reconciler/cli.ts'
import { concealingIo, processIo } from '../../reconciler/io.ts'
import { spoken } from '../../scripts/docs/markdown.ts'

const namesIn = ({ commands }: Command, above: string): string[] =>
  commands.flatMap((command) => {
    const name = `${above} ${command.name()}`
    return [name, ...namesIn(command, name)]
  })

const program = await programFor(await concealingIo(processIo()), [], () => undefined)

it.each([...namesIn(program, 'deploymgmt'), 'deploymgmt help'])(
  '%s is set as code where it is named',
  (name) => {
    expect(spoken(`Run ${name}, and look.`)).toBe(`Run \`${name}\`, and look.`)
  },
)

it.each(['deploymgmt help COMMAND', 'deploymgmt plan FILE', 'deploymgmt plan --out FILE'])(
  '%s is one piece of code',
  (words) => {
    expect(spoken(`It is shown by ${words}.`)).toBe(`It is shown by \`${words}\`.`)
  },
)

it('what is said of deploymgmt itself is no code', () => {
  const text = 'A defect of deploymgmt itself, which needs the version of deploymgmt that wrote it.'
  expect(spoken(text)).toBe(text)
})
