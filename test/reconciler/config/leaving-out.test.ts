/** The edit that leaves a project out of an entry can be pasted, whatever the project's name is. */
import { leavingOut } from '@deploymgmt/provider/core'
import { exceptSetting } from '@deploymgmt/provider/words'
import { expect, test } from 'vitest'
import { HEAD, loadText, refusedLines } from './support/manifests.ts'

const NAMES = ['true', '007', '1e3', 'off', 'plain', 'other']
const PROJECTS = `projects: { ${NAMES.map((name, index) => `"${name}": { id: p${index} }`).join(', ')} }\n`
const manifestOf = (several: string): string =>
  `${HEAD}${PROJECTS}integrations:\n  i: { ${several}, type: PAGING }\n`

const leavingFirst = async (text: string): Promise<string> => {
  const { declaration } = await loadText(text)
  const [among] = declaration.entries.flatMap((each) => each.among ?? [])
  const left = among && leavingOut([among])
  return (left && exceptSetting(left)) ?? ''
}

test('project after project is left out by what is pasted', async () => {
  let several = 'projectIds: all'
  for (const _ of NAMES.slice(1)) several = await leavingFirst(manifestOf(several))
  expect(several).toBe('projectIds: { all: true, except: ["true", "007", "1e3", "off", plain] }')
  const { declaration } = await loadText(manifestOf(several))
  expect(declaration.entries.map(({ address }) => address)).toEqual(['integrations.i[p5]'])
})

test('an expression in what is left out already stays one', async () => {
  const variables = 'variables: { quiet: { default: plain } }\n'
  const several = 'projectIds: { all: true, except: ["${var.quiet}"] }'
  expect(await leavingFirst(variables + manifestOf(several))).toBe(
    'projectIds: { all: true, except: ["${var.quiet}", "true"] }',
  )
})

test('except beside projectIds is told with what can be pasted', async () => {
  const lines = await refusedLines(
    manifestOf('projectIds: all, except: ["007", "a, b", "c: d", "$${e}", plain]'),
  )
  expect(lines.join('\n')).toContain(
    'projects are left out in projectIds: { all: true, except: ["007", "a, b", "c: d", "$${e}", plain] }',
  )
})
