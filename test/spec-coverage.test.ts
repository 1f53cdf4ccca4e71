import { isNone, type KindDefinition, type Operation } from '@deploymgmt/provider/core'
import { dataSources } from '@deploymgmt/provider/data-sources'
import { ORGANIZATION_EVENTS } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { openApiDocument } from '@deploymgmt/service'
import { describe, expect, it } from 'vitest'
import { endpointCases } from './service/support/endpoints.ts'
import { ENDPOINTS } from './support/specified-endpoints.ts'

/** Matches the call with any values for its parameters. */
const asking = (call: string): RegExp => new RegExp(`^${call.replaceAll('{}', '[^/]+')}$`)
const unnamed = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')

const operationsOf = ({ observe, establish, write, absence }: KindDefinition): Operation[] => [
  ...(observe.how === 'everything' ? [observe.list, ...(isNone(observe.get) ? [] : [observe.get])] : []),
  ...(observe.how === 'parts' ? Object.values(observe.parts).map(({ list }) => list) : []),
  ...(isNone(establish.create) ? [] : [establish.create.operation]),
  ...(isNone(write) ? [] : [write.operation]),
  ...(isNone(absence) ? [] : [absence.operation]),
]

const used = [
  ...kinds.flatMap(operationsOf),
  ...dataSources.map(({ operation }) => operation),
  ORGANIZATION_EVENTS,
]
const served = Object.entries((openApiDocument() as { paths: Record<string, object> }).paths).flatMap(
  ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${unnamed(path)}`),
)
describe.each(ENDPOINTS)('endpoint %i, %s,', (number, call) => {
  it('is used by a kind or a data source, with its number', () => {
    const claims = used
      .filter(({ endpoint }) => endpoint === number)
      .map(({ method, path }) => `${method} ${unnamed(path)}`)
    expect(claims.length).toBeGreaterThan(0)
    expect(new Set(claims)).toEqual(new Set([call]))
  })

  it('is served', () => {
    expect(served.map((each) => each.replace(/\/$/, ''))).toContain(call.replace(/\/$/, ''))
  })

  it('is asked of the service under its number', () => {
    const asked = endpointCases.filter((one) => one.number === number)
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      expect.stringMatching(asking(call)),
    ])
  })
})

it('no operation claims an endpoint that the specification does not number', () => {
  expect(used.filter(({ endpoint }) => !ENDPOINTS.some(([number]) => number === endpoint))).toEqual([])
})
