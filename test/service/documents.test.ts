import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument, openReadingsPage, settings, settingsPage } from '@deploymgmt/service'
import { expect, test } from 'vitest'
import { endpointCases } from './support/endpoints.ts'

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
