import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ManifestError } from '../../../../reconciler/errors/manifest-error.ts'
import { VariableError } from '../../../../reconciler/errors/variable-error.ts'
import { loadStack } from './stack.ts'
import { anyText } from '../../../support/any-text.ts'
import { holds } from '../../../support/soak.ts'

const parts = ['//', 'resource', 'provider', 'terraform', 'variable', 'locals', 'data', 'output']
const names = `deploymgmt deploymgmt_user deploymgmt_maintenance_window deploymgmt_integration x roles password
  select start_date metadata stackName path source lifecycle ignore_changes prevent_destroy allow count default
  type sensitive required_providers private_key base_url __proto__ constructor toString`
const words = [...parts, ...names.split(/\s+/)]
const leaf = fc.oneof(
  fc.constantFrom('${var.x}', '${local.x}', '${deploymgmt_user.x.id}', '${', '%{', '$${', '}', 'all', ''),
  fc.constantFrom<unknown>(null, true, 0, 1.5, -1e308, 2 ** 53 + 2, [], {}),
  anyText(),
)
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words), tie('tree'), { maxKeys: 6 }),
  ),
}))
const resources = fc.dictionary(
  fc.constantFrom('deploymgmt_user', 'deploymgmt_maintenance_window', 'deploymgmt_integration'),
  fc.dictionary(fc.constantFrom('x', 'a-b', '__proto__'), fc.dictionary(fc.constantFrom(...words), tree), {
    maxKeys: 3,
  }),
)

test('no configuration of the right outline and wrong content breaks anything', async () => {
  const configuration = fc.record(
    { resource: fc.oneof(resources, tree), rest: fc.dictionary(fc.constantFrom(...parts), tree) },
    { requiredKeys: ['rest'] },
  )
  await holds(100, [configuration], async ({ resource, rest }) => {
    const options = { env: { TF_VAR_x: '1' } }
    const outcome: unknown = await loadStack({ ...rest, resource }, options).then(
      () => 'a declaration',
      // TF_VAR_x is a text, whatever the variable is.
      (error: unknown) =>
        error instanceof ManifestError || error instanceof VariableError ? 'a refusal' : error,
    )
    expect(['a declaration', 'a refusal']).toContain(outcome)
  })
})
