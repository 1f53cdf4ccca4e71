import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryPages, validateXML } from 'xmllint-wasm'

const SCHEMA = readFileSync(join(import.meta.dirname, 'junit-10.xsd'), 'utf8')

/** What xmllint reports about JUnit documents: nothing if all are well-formed and valid. */
export const errorsOf = async (...documents: readonly string[]): Promise<readonly string[]> => {
  const xml = documents.map((contents, index) => ({ fileName: `report-${index}.xml`, contents }))
  const { errors } = await validateXML({ xml, schema: SCHEMA, maxMemoryPages: 2 * memoryPages.GiB })
  return errors.map(({ rawMessage }) => rawMessage)
}

interface TestCase {
  readonly name: string
  readonly classname: string
  readonly file: string | undefined
  /** Undefined if the case passed. */
  readonly result: string | undefined
  readonly type: string | undefined
  readonly message: string | undefined
  readonly text: string
}

/** The cases of a well-formed document. */
export const testCases = (xml: string): TestCase[] =>
  [...xml.matchAll(/<testcase (?<head>[^>]*?)(?:\/>|>(?<body>.*?)<\/testcase>)/gs)].map(({ groups = {} }) => {
    const of = attributes(groups['head'] ?? '')
    const [, result, head, text] =
      /<(failure|error|skipped)\b([^>]*?)(?:\/>|>(.*?)<\/\1>)/s.exec(groups['body'] ?? '') ?? []
    const outcome = attributes(head ?? '')
    return {
      name: of['name'] ?? '',
      classname: of['classname'] ?? '',
      file: of['file'],
      result,
      type: outcome['type'],
      message: outcome['message'],
      text: plain(text ?? ''),
    }
  })

const attributes = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, plain(value)]),
  )

const plain = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
