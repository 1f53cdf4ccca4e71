import { describe, expect, test } from 'vitest'
import { loadStack, refusalsOf, windowOf } from './stack.ts'

/** Locals l0, l1, …, each made from the one before. */
const chain = (length: number, next: (name: string) => unknown, first: unknown): object =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [`l${index}`, index === 0 ? first : next(`l${index - 1}`)]),
  )
const doubled = (name: string) => `\${local.${name}}\${local.${name}}`
const last = (length: number): string => `\${local.l${length - 1}}`

describe('locals that hold one another', () => {
  test('are refused where they make a text too long', async () => {
    const locals = chain(40, doubled, '0123456789')
    expect(await refusalsOf({ ...windowOf({ description: `a ${last(40)}` }), locals })).toEqual([
      expect.stringContaining('the expressions make this text longer than 100,000 characters'),
    ])
    expect(await refusalsOf({ ...windowOf({ description: last(40) }), locals })).toEqual([
      expect.stringContaining('the expressions make this text longer than 100,000 characters'),
    ])
  })

  test('are worked out once, however often they are referred to', async () => {
    const locals = chain(100, doubled, '')
    const { declaration } = await loadStack({ ...windowOf({ description: `a${last(100)}` }), locals })
    expect(declaration.entries[0]?.values['description']).toBe('a')
  })

  test('are looked through once for what is wrong with them', async () => {
    const locals = chain(100, doubled, '${upper("x")}')
    expect(await refusalsOf({ ...windowOf({ description: `a${last(100)}` }), locals })).toEqual([
      expect.stringContaining('${upper("x")} is a function of Terraform'),
    ])
  })

  test('are refused where they multiply lists', async () => {
    const locals = chain(40, (name) => [`\${local.${name}}`, `\${local.${name}}`], ['HOST'])
    const said = await refusalsOf({ ...windowOf({ alert_type_names: last(40) }), locals })
    expect(said.filter((line) => line.includes('the locals make more than 100,000 values'))).toHaveLength(1)
  })

  test.each([
    ['texts', (name: string) => `a\${local.${name}}`],
    ['whole locals', (name: string) => `\${local.${name}}`],
  ])('are refused where they are too deep, as %s', async (_, next) => {
    const locals = chain(20_000, next, 'x')
    expect(await refusalsOf({ ...windowOf({ description: last(20_000) }), locals })).toEqual([
      expect.stringContaining('expressions refer to one another more than 200 deep'),
    ])
  })
})

test('parts of resources that hold one another are worked out once', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `w${index}`)
  const [window] = Object.values((windowOf() as any).resource.deploymgmt_maintenance_window) as object[]
  const windows = names.map((name, index) => {
    const before = `\${deploymgmt_maintenance_window.w${index - 1}.on_remove}`
    return [name, { ...window, on_remove: index === 0 ? '' : before + before }]
  })
  const said = await refusalsOf({
    resource: { deploymgmt_maintenance_window: Object.fromEntries(windows) },
  })
  expect(said).toHaveLength(60)
  expect(said[0]).toContain('is not a way of removal')
})

const described = (fallback: string): object => ({
  ...windowOf({ description: '${var.x}' }),
  variable: { x: { type: 'number', default: fallback } },
})

describe('a number', () => {
  test('of a million digits, and a letter, is none, and is refused at once', async () => {
    expect(await refusalsOf(described(`${'1'.repeat(1_000_000)}x`))).toEqual([
      'variable.x.default: this variable is a number, but its default is not',
    ])
  })

  test('with many zeros keeps those that are not at its end', async () => {
    const small = `0.${'0'.repeat(80_000)}1`
    const { declaration } = await loadStack(described(`${small}000`))
    expect(declaration.entries[0]?.values['description']).toBe(small)
  })
})
