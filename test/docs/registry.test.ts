/** What Terraform registries expect of the pages of a provider. */
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import {
  dataSourceBlock,
  providerBlock,
  resourceBlock,
  type Attribute,
  type Block,
} from '@deploymgmt/provider/core'
import { dataSources } from '@deploymgmt/provider/data-sources'
import { kinds } from '@deploymgmt/provider/kinds'
import { documents } from '../../scripts/documents.ts'

const pageAt = (path: string): string =>
  documents.find((document) => document.path === path)?.content() ?? `there is no ${path}`

const named = ({ attributes }: Block): string[] => attributes.flatMap(namesOf)
const namesOf = ({ name, type }: Attribute): string[] => {
  let of = type
  while ('of' in of) of = of.of
  return [name, ...(of.is === 'object' ? of.attributes.flatMap(namesOf) : [])]
}

const pages = [
  { path: 'docs/index.md', title: 'deploymgmt Provider', block: providerBlock, also: ['Installing it'] },
  ...kinds.map((kind) => {
    const block = resourceBlock(kind)
    return {
      path: `docs/resources/${kind.kind}.md`,
      title: `${block.type} (Resource)`,
      block,
      also: ['Import'],
    }
  }),
  ...dataSources.map((definition) => {
    const block = dataSourceBlock(definition)
    return {
      path: `docs/data-sources/${definition.name}.md`,
      title: `${block.type} (Data Source)`,
      block,
      also: [],
    }
  }),
]

describe.each(pages)('$path', ({ path, title, block, also }) => {
  const text = pageAt(path)
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []

  test('begins with its title, subcategory and description', () => {
    expect(load(front)).toEqual({
      page_title: expect.stringContaining('deploymgmt'),
      subcategory: '',
      description: expect.stringMatching(/\S\.$/),
    })
    expect(body.startsWith(`\n# ${title}\n`)).toBe(true)
  })

  test('has an example, the whole schema, and nothing of manifests', () => {
    const headings = [...body.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(expect.arrayContaining(['Example Usage', 'Schema', ...also]))
    expect(body).toContain('```terraform\n')
    const schema = body.slice(body.indexOf('\n## Schema\n'))
    const told = new Set(
      [...schema.matchAll(/^- `(\w+)` \((?:String|Number|Boolean|List|Set|Map|Attributes)/gm)].map(
        ([, name]) => name,
      ),
    )
    expect(named(block).filter((name) => !told.has(name))).toEqual([])
    expect(body).not.toMatch(/```yaml|deploymgmt get|In a manifest/)
  })
})
