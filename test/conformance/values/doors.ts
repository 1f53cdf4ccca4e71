import {
  camelToSnake,
  resourceBlock,
  type Attribute,
  type AttributeType,
  type KindDefinition,
  type Values,
} from '@deploymgmt/provider/core'
import { dataSources } from '@deploymgmt/provider/data-sources'
import { kinds } from '@deploymgmt/provider/kinds'
import { ManifestError } from '../../../reconciler/errors/manifest-error.ts'
import { providerHandlers } from '../../../provider/terraform/provider.ts'
import { blockType } from '../../../provider/terraform/codec/schema.ts'
import { Severity } from '../../../provider/terraform/wire/common-messages.ts'
import { encodeDynamicValue } from '../../../provider/terraform/wire/dynamic-value.ts'
import type { TerraformObject, TerraformValue } from '../../../provider/terraform/wire/value.ts'
import { loadText } from '../../reconciler/config/support/manifests.ts'
import { loadStack } from '../../reconciler/config/terraform-json/stack.ts'

/** The errors about one declared thing; empty if it is accepted. */
export type Door = (kind: KindDefinition, values: Values) => Promise<readonly string[]>

/** The errors of a manifest. */
export const errorsOf = async (loading: Promise<unknown>): Promise<string[]> => {
  try {
    await loading
    return []
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error
    return error.findings.filter(({ severity }) => severity === 'error').map(({ message }) => message)
  }
}

/** JSON is also YAML, so every value can be written as is. */
const manifest: Door = ({ section }, values) =>
  errorsOf(loadText(JSON.stringify({ version: 1, name: 'acme', [section]: { it: values } })))

const SECRET = { initial: { type: 'string', sensitive: true } }

/** Replaces a reference to a secret by `secret`, which stands for it in Terraform. */
const inSnakeCase = (value: unknown, secret: string): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => inSnakeCase(item, secret))
  if (typeof value !== 'object' || value === null) return value
  const isSecret = 'env' in value
  return isSecret
    ? secret
    : Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [camelToSnake(name), inSnakeCase(inner, secret)]),
      )
}

const terraformJson: Door = ({ kind }, values) => {
  const attributes = inSnakeCase(values, '${var.initial}')
  return errorsOf(
    loadStack({ variable: SECRET, resource: { [`deploymgmt_${kind}`]: { it: attributes } } }, { env: {} }),
  )
}

const { validateResourceConfig } = providerHandlers(kinds, dataSources, {})

type Said = { readonly severity?: Severity; readonly summary?: string }

/** All diagnostics that Terraform shows for a configuration, warnings included. */
export const diagnosticsOf = async (kind: KindDefinition, values: Values): Promise<readonly Said[]> => {
  const { attributes } = resourceBlock(kind)
  const given = asTerraform(attributes, inSnakeCase(values, 'initial') as TerraformObject)
  // Terraform checks a configuration against the schema before the provider sees it.
  const lacking = attributes.filter(({ name, use }) => use === 'required' && (given[name] ?? null) === null)
  if (lacking.length > 0)
    return lacking.map(({ name }) => ({ severity: Severity.error, summary: `${name} is required` }))
  let config
  try {
    config = encodeDynamicValue(given, blockType({ attributes }))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return [{ severity: Severity.error, summary: error.message }]
  }
  const request = {
    typeName: `deploymgmt_${kind.kind}`,
    config,
    clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
  }
  const call = { signal: new AbortController().signal } as never
  const { diagnostics = [] } = (await validateResourceConfig?.(request, call)) ?? {}
  return diagnostics
}

const terraform: Door = async (kind, values) =>
  (await diagnosticsOf(kind, values))
    .filter(({ severity }) => severity === Severity.error)
    .map(({ summary = '' }) => summary)

/** Terraform converts primitive values to the types of the schema if it can. */
const asTerraform = (attributes: readonly Attribute[], given: TerraformObject): TerraformObject => {
  const types = new Map(attributes.map(({ name, type }) => [name, type]))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, converted(types.get(name), value)]),
  )
}

const converted = (type: AttributeType | undefined, value: TerraformValue): TerraformValue => {
  if (type?.is === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (type?.is === 'bool' && (value === 'true' || value === 'false')) return value === 'true'
  return (type?.is === 'set' || type?.is === 'list') && Array.isArray(value)
    ? (value as readonly TerraformValue[]).map((item) => converted(type.of, item))
    : value
}

export const doors = { manifest, terraform, 'cdk.tf.json': terraformJson } satisfies Record<string, Door>
export type DoorName = keyof typeof doors
