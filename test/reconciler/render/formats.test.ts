import type { Log } from 'sarif'
import { describe, expect, it } from 'vitest'
import { formatOf, formatsOf, rendererOf } from '../../../reconciler/render/formats.ts'
import type { DriftDocument } from '../../../reconciler/render/document/drift-model.ts'
import type { ReportName } from '../../../reconciler/render/document/reports.ts'
import { style } from './support/documents.ts'
import { MULTITOOL, schemaErrors } from './support/sarif.ts'
import { EMPTY, reportsWith, REPORTS } from './support/specimens.ts'
import { OBEYED } from '../../support/obeyed.ts'
import { HOSTILE } from './support/text.ts'
import { errorsOf, testCases } from './support/xml.ts'

/** Reads a machine format; returns what it read, and what it should have read. */
type Reader = (shown: string, document: unknown) => Promise<readonly [unknown, unknown]>

const schema = MULTITOOL === undefined ? undefined : schemaErrors()

const READERS: Readonly<Record<string, Reader>> = {
  json: async (shown, document) => [JSON.parse(shown), JSON.parse(JSON.stringify(document))],
  junit: async (shown, document) => [
    { errors: await errorsOf(shown), isWhole: testCases(shown).length >= addressesOf(document) },
    { errors: [], isWhole: true },
  ],
  sarif: async (shown) => {
    const log = JSON.parse(shown) as Log
    return [
      { errors: schema?.(log) ?? [], tool: log.runs[0]?.tool.driver.name },
      { errors: [], tool: 'deploymgmt' },
    ]
  },
}
const noReader: Reader = () => {
  throw new Error('nothing reads it')
}

/** How many addresses a drift report is about; a failure counts as one. */
const addressesOf = (document: unknown): number => {
  const { resources } = document as Partial<DriftDocument>
  return resources === undefined ? 1 : new Set(resources.map(({ address }) => address)).size
}

const TEXTS = {
  'escape sequences, turned directions and forged lines': HOSTILE,
  'marks of other languages': '</td><script>x</script>]]>&amp;"\'|[x](y)`${z} {{x}} <!-- #{',
  'a very long word': 'x'.repeat(20_000),
  'very many words': 'one word after another '.repeat(2_000),
  'half a character': 'a\uD800b',
  'the name of what every object has': '__proto__',
  'no character at all': '',
}

const all = REPORTS.flatMap((report) =>
  formatsOf(report).map((format) => ({ report, format, row: formatOf(report, format) })),
)

/** Everything that one format makes of the specimens of a report; some events print nothing for people. */
const shownOf = async (report: ReportName, format: string, specimens: typeof EMPTY) => {
  const render = await rendererOf(report, format)
  return specimens[report].flatMap((specimen) => {
    // Wide enough for the columns of a table to show all of a text that is spelt out.
    const shown = render(specimen, style({ all: true, width: 160 }))
    return shown === undefined ? [] : [{ document: specimen.document, shown }]
  })
}

describe.each(all)('$report as $format', ({ report, format }) => {
  it.each(Object.entries(TEXTS))('stands %s', async (_, text) => {
    for (const { shown } of await shownOf(report, format, reportsWith(text))) {
      // CSV ends its lines like this.
      const lines = format === 'csv' ? shown.replaceAll('\r\n', '\n') : shown
      expect(lines).not.toMatch(OBEYED)
      expect(lines).not.toMatch(/^forged/m)
    }
  })

  it('shows what is hostile instead of hiding it', async () => {
    for (const { shown } of await shownOf(report, format, reportsWith(HOSTILE)))
      expect(shown).toContain('evil')
  })

  it('says something plain where there is nothing to tell', async () => {
    const said = await shownOf(report, format, EMPTY)
    expect(said).toHaveLength(EMPTY[report].length)
    for (const { shown } of said) expect(shown).toMatch(/^(?!.*(?:undefined|NaN|\[object)).*\S/s)
  })
})

describe.each(all.filter(({ row }) => row?.for === 'machine'))(
  '$report as $format, for machines',
  ({ report, format }) => {
    const read = READERS[format] ?? noReader

    it.each(Object.entries(TEXTS))('is read as it was meant, with %s', async (_, text) => {
      for (const { document, shown } of await shownOf(report, format, reportsWith(text))) {
        const [was, meant] = await read(shown, document)
        expect(was).toEqual(meant)
      }
    })

    it('is read where there is nothing to tell', async () => {
      for (const { document, shown } of await shownOf(report, format, EMPTY)) {
        const [was, meant] = await read(shown, document)
        expect(was).toEqual(meant)
      }
    })

    it('has a way to tell of a failure', () => {
      expect(formatOf('failure', format)?.load).toBeDefined()
    })
  },
)

describe.each(all.filter(({ row }) => row?.streams === true))('$report as $format, a stream', (each) => {
  it.each(Object.entries(TEXTS))('is one line for each event, with %s', async (_, text) => {
    const said = await shownOf(each.report, each.format, reportsWith(text))
    expect(said).toHaveLength(reportsWith(text)[each.report].length)
    for (const { shown } of said) expect(shown).not.toContain('\n')
  })
})

describe('the table of formats', () => {
  it('has a default for each report', () => {
    for (const report of REPORTS) expect(formatsOf(report).length).toBeGreaterThan(0)
  })

  it('has no format by the name of what every object has', () => {
    expect(formatOf('failure', 'constructor')).toBeUndefined()
  })
})
