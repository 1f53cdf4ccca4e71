import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument, openReadingsPage, settings, settingsPage } from '@deploymgmt/service'
import { describe, expect, test } from 'vitest'
import { controlCalls } from '../../service/control/control.ts'
import { FaultSpec, faultKinds } from '../../service/control/fault-schema.ts'
import { endpointCases } from './support/endpoints.ts'
import { ids } from './support/fixture.ts'
import { serve } from './support/service.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')
const read = (name: string): string => readFileSync(join(docs, name), 'utf8')

test('docs/openapi.json is what the service says of itself', () => {
  expect(JSON.parse(read('openapi.json'))).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
})

test('docs/service-settings.md and docs/open-readings.md are made from the settings', () => {
  expect(read('service-settings.md')).toBe(settingsPage())
  expect(read('open-readings.md')).toBe(openReadingsPage())
})

test('the OpenAPI document has the 21 endpoints, each with its number', () => {
  const paths = Object.values(
    openApiDocument()['paths'] as Record<string, Record<string, { operationId: string }>>,
  )
  const operations = paths.flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
  expect(new Set(operations)).toEqual(new Set(endpointCases.map(({ number }) => `endpoint${number}`)))
})

test('every setting has a default that is allowed, and words', () => {
  for (const { name, values, accepts, default: standard, meaning } of settings) {
    expect(values[0]).toBe(standard)
    expect(accepts ? accepts(standard) || values.includes(standard) : values.includes(standard)).toBe(true)
    expect(`${name}: ${meaning}`).toMatch(/\.$/)
  }
  expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length)
})

describe('the control interface in docs/service-settings.md', () => {
  const page = read('service-settings.md')
  const calls = controlCalls.map((call) => ({ name: `${call.method} ${call.path.slice(1)}`, call }))

  test.each(calls)('shows $name with bodies that it takes, and with its answer', async ({ name, call }) => {
    const { bodies = [], answer } = call.docs
    expect(bodies.length > 0).toBe(call.body !== undefined)
    const section = page.split(`\n### ${name}\n`)[1]?.split('\n### ')[0] ?? ''
    for (const shown of [...bodies, answer]) expect(section).toContain(`\`${JSON.stringify(shown)}\``)
    const { control } = await serve()
    for (const body of bodies.length > 0 ? bodies : [undefined]) {
      const reply = await control(call.method, call.path.replace('{projectId}', ids.project), body)
      expect([reply.status, Object.keys(reply.body)]).toEqual([
        200,
        expect.arrayContaining(Object.keys(answer as object)),
      ])
    }
  })

  const faults = Object.entries(faultKinds).map(([name, kind]) => ({ name, ...kind }))

  test.each(faults)('shows the fault $name with a body that asks for it', async ({ name, example }) => {
    expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\|.*\`\\{"fault":"${name}".*\\}\` \\|$`, 'm'))
    expect(example.fault).toBe(name)
    const { control } = await serve()
    expect((await control('POST', '/faults', example)).body).toEqual({ id: 1 })
    expect((await control('GET', '/faults')).body.results).toMatchObject([{ spec: example }])
  })

  test('names every field of a fault', () => {
    const section = page.split('\n### Faults\n')[1] ?? ''
    const fields = Object.keys(FaultSpec.properties).filter((field) => field !== 'fault')
    expect(fields.filter((field) => !section.includes(`\`${field}\``))).toEqual([])
  })
})
