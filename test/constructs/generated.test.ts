import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import * as constructs from '@deploymgmt/constructs'
import { dataSources } from '@deploymgmt/provider/data-sources'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, test } from 'vitest'
import { schemaDocument, type JsonAttribute } from '../../scripts/constructs/schema-document.ts'
import { bindings } from '../../scripts/constructs/bindings.ts'

const folder = join(import.meta.dirname, '..', '..', 'constructs', 'generated')

describe('constructs/generated', () => {
  test('is what npm run generate writes, and nothing else', async () => {
    const made = await bindings()
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const there = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) => {
          const path = join(parentPath, name)
          return [relative(folder, path), await readFile(path, 'utf8')] as const
        }),
    )
    expect(there.map(([path]) => path).toSorted()).toEqual([...made.keys()].toSorted())
    expect(there.filter(([path, text]) => made.get(path) !== text).map(([path]) => path)).toEqual([])
  })

  test('has no module that nothing imports', async () => {
    const entries = await readdir(join(folder, '..'), { recursive: true, withFileTypes: true })
    const modules = entries
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => path.endsWith('.ts') && !relative(folder, path).startsWith('../dist'))
    const imported = await Promise.all(
      modules.map(async (path) =>
        [...(await readFile(path, 'utf8')).matchAll(/ from '(\.[^']+)'/g)].map(([, specifier = '']) =>
          join(dirname(path), specifier.endsWith('.ts') ? specifier : join(specifier, 'index.ts')),
        ),
      ),
    )
    const unused = modules.filter((path) => path.startsWith(folder) && !imported.flat().includes(path))
    expect(unused.map((path) => relative(folder, path))).toEqual([])
  })

  test('has a class for each kind and each data source, and the provider', () => {
    const types = Object.values(constructs as Readonly<Record<string, unknown>>)
      .map((value) => (value as { tfResourceType?: string }).tfResourceType)
      .filter((type) => type !== undefined)
    expect(types.toSorted()).toEqual(
      [
        'deploymgmt',
        ...kinds.map(({ kind }) => `deploymgmt_${kind}`),
        ...dataSources.map(({ name }) => `deploymgmt_${name}`),
      ].toSorted(),
    )
  })
})

describe('the links of the bindings', () => {
  test('lead to pages of this repository', async () => {
    const text = [...(await bindings()).values()].join('\n')
    expect(text).not.toContain('registry.terraform.io/providers')
    const pages = [...new Set(text.match(/\bdocs\/[\w/-]+\.md/g))]
    expect(pages).toHaveLength(1 + kinds.length + dataSources.length)
    for (const page of pages)
      await expect(readFile(join(folder, '..', '..', page), 'utf8')).resolves.toContain('# ')
  })
})

describe('the provider’s schema as JSON', () => {
  const schema = schemaDocument(kinds, dataSources)
  const provider = schema.provider_schemas['registry.terraform.io/deploymgmt/deploymgmt']
  const blocks = {
    provider: provider?.provider,
    ...provider?.resource_schemas,
    ...Object.fromEntries(
      Object.entries(provider?.data_source_schemas ?? {}).map(([name, block]) => [`data.${name}`, block]),
    ),
  }
  const attributesOf = (name: keyof typeof blocks): Readonly<Record<string, JsonAttribute>> =>
    blocks[name]?.block.attributes ?? {}

  test('says its version and has a block for each thing', () => {
    expect(schema.format_version).toBe('1.0')
    expect(Object.keys(blocks)).toHaveLength(1 + kinds.length + dataSources.length)
  })

  test.each(Object.keys(blocks) as (keyof typeof blocks)[])(
    '%s has attributes that bindings can be made of',
    (name) => {
      const attributes = Object.entries(attributesOf(name))
      expect(attributes.length).toBeGreaterThan(0)
      for (const [attribute, { type, nested_type, required, optional, computed }] of attributes) {
        expect(attribute).toMatch(/^[a-z][a-z0-9_]*$/)
        // Names that constructs or the generator already use.
        expect(attribute).not.toMatch(
          /^(?:count|provider|lifecycle|connection|constructor|node|self|equals|get_.*)$/,
        )
        expect((type === undefined) !== (nested_type === undefined)).toBe(true)
        expect(JSON.stringify(type ?? '')).not.toMatch(/tuple|dynamic/)
        expect(
          required === true ? !(optional ?? false) && !(computed ?? false) : (optional ?? computed),
        ).toBe(true)
      }
    },
  )

  test('marks the password of a user as sensitive and write-only', () => {
    expect(attributesOf('deploymgmt_user' as never)['password']).toMatchObject({
      sensitive: true,
      write_only: true,
    })
  })
})
