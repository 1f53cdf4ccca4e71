import { describe, expect, it } from 'vitest'
import { formatOf, formatsOf, rendererOf, REPORTS } from '../../../reconciler/render/formats.ts'
import type { ReportName } from '../../../reconciler/render/reports.ts'
import { style } from './support/documents.ts'
import { EMPTY, reportsWith } from './support/specimens.ts'
import { HOSTILE, OBEYED } from './support/text.ts'

/** What reads a format for machines, as the value that was meant. */
const READERS: Readonly<Record<string, (shown: string) => unknown>> = { json: JSON.parse }

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
const written = all.filter(({ row }) => row?.load !== undefined)

/** All that one format makes of the specimens of its report; an event may have nothing to say to a person. */
const shownOf = async (report: ReportName, format: string, specimens: typeof EMPTY) => {
  const render = await rendererOf(report, format)
  return specimens[report].flatMap((specimen) => {
    const shown = render(specimen, style({ all: true }))
    return shown === undefined ? [] : [{ document: specimen.document, shown }]
  })
}

describe.each(written)('$report as $format', ({ report, format }) => {
  it.each(Object.entries(TEXTS))('stands %s', async (_, text) => {
    for (const { shown } of await shownOf(report, format, reportsWith(text))) {
      // A line of CSV ends so.
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

describe.each(written.filter(({ row }) => row?.for === 'machine'))(
  '$report as $format, for machines',
  ({ report, format }) => {
    it.each(Object.entries(TEXTS))('is read as it was meant, with %s', async (_, text) => {
      for (const { document, shown } of await shownOf(report, format, reportsWith(text)))
        expect(READERS[format]?.(shown)).toEqual(JSON.parse(JSON.stringify(document)))
    })

    it('is read where there is nothing to tell', async () => {
      for (const { document, shown } of await shownOf(report, format, EMPTY))
        expect(READERS[format]?.(shown)).toEqual(document)
    })

    it('has a way to tell of a failure', () => {
      expect(formatOf('failure', format)?.load).toBeDefined()
    })
  },
)

describe.each(written.filter(({ row }) => row?.streams === true))('$report as $format, a stream', (each) => {
  it.each(Object.entries(TEXTS))('is one line for each event, with %s', async (_, text) => {
    const said = await shownOf(each.report, each.format, reportsWith(text))
    expect(said).toHaveLength(reportsWith(text)[each.report].length)
    for (const { shown } of said) expect(shown).not.toContain('\n')
  })
})

describe('the table of formats', () => {
  it('has a default for each report, which is written', () => {
    for (const report of REPORTS) expect(formatOf(report, formatsOf(report)[0] ?? '')?.load).toBeDefined()
  })

  it('has no format by the name of what every object has', () => {
    expect(formatOf('failure', 'constructor')).toBeUndefined()
  })

  it('says of each format that is not written which ones are', async () => {
    for (const { report, format } of all.filter(({ row }) => row?.load === undefined)) {
      const others = written.filter((each) => each.report === report)
      await expect(rendererOf(report, format)).rejects.toThrow(
        expect.objectContaining({
          code: 'DM-NOT-SUPPORTED',
          hint: `Use ${others.map((each) => `--format ${each.format}`).join(' or ')}.`,
        }),
      )
    }
  })
})
