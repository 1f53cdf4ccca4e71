import { inspect } from 'node:util'
import { DeclarationError } from '@deploymgmt/constructs'
import { Testing, TerraformStack } from 'cdktf'
import { expect, test } from 'vitest'

test('an error of a declaration is printed with each problem once, and keeps them for a program', () => {
  const problems = [
    { property: 'alerts.a', message: 'cannot be meant' },
    { property: 'alerts.b', message: 'cannot be meant either' },
  ]
  const error = new DeclarationError(new TerraformStack(Testing.app(), 'acme'), problems)
  expect(error).toMatchObject({ constructPath: 'acme', problems })
  const printed = inspect(error)
  expect(printed).toContain(
    'acme: 2 problems\n  alerts.a: cannot be meant\n  alerts.b: cannot be meant either\n',
  )
  for (const { property } of problems) expect(printed.split(property)).toHaveLength(2)
  expect(printed).not.toContain('problems:')
})
