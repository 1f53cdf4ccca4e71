import { expect, it } from 'vitest'
import { HEAD, loadText, refusedLines } from './support/manifests.ts'

const WARNED = `${HEAD}variables: { unused: { default: 1 } }\n`
const keyWith = (desc: string): string =>
  `${WARNED}apiKeys:\n  k: { apiKeyId: a, desc: "${desc}" }\n  other: { apiKeyId: b }\n`

const counting = () => {
  const asked: string[] = []
  let opened = 0
  const recordedIn = async () => {
    opened += 1
    return (address: string) => {
      asked.push(address)
      return { publicKey: 'abcd' }
    }
  }
  return { asked, recordedIn, opened: () => opened }
}

it('opens no state for a manifest that refers to nothing recorded', async () => {
  const { recordedIn, opened } = counting()
  const { declaration } = await loadText(keyWith('${apiKeys.other.apiKeyId}'), { recordedIn })
  expect(declaration.entries[0]?.values['desc']).toBe('b')
  expect(opened()).toBe(0)
})

it('opens it once for one that does, and says of the manifest what it would have said at once', async () => {
  const { asked, recordedIn, opened } = counting()
  const text = keyWith('${apiKeys.other.publicKey}')
  const { declaration, warnings } = await loadText(text, { recordedIn })
  expect(declaration.entries[0]?.values['desc']).toBe('abcd')
  expect([asked, opened()]).toEqual([['apiKeys.other'], 1])
  expect(warnings).toEqual((await loadText(text)).warnings)
})

it('opens none where something is wrong that no record can mend', async () => {
  const { recordedIn, opened } = counting()
  expect(await refusedLines(`${keyWith('x')}apiKys: {}\n`, { recordedIn })).toHaveLength(1)
  expect(opened()).toBe(0)
})

it('tells each fault once, with a record and without', async () => {
  const { recordedIn } = counting()
  const text = `${keyWith('${apiKeys.other.publicKey}')}apiKys: {}\n`
  expect(await refusedLines(text, { recordedIn })).toEqual(await refusedLines(text))
})
