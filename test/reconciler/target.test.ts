import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Declaration, RecordedResource } from '@deploymgmt/provider/engine'
import { refuseEmptyTarget, targetOf } from '../../reconciler/commands/resolve/target.ts'

const ADDRESSES = [
  'alertConfigurations.connections',
  'alertConfigurations.host-down[5d1113b25a115342acc2d0f3]',
  'users.dana',
  'users.sam',
]
const DECLARATION: Declaration = {
  name: 'test',
  entries: ADDRESSES.map((address) => ({
    address,
    kind: '',
    values: {},
    onRemove: 'forget',
    protect: false,
    ignoreChanges: [],
    declaredAt: undefined,
  })),
  organizations: new Map(),
  orgIds: [],
  projectNames: new Map(),
}
const refused = (...globs: string[]): string => {
  try {
    refuseEmptyTarget(globs, DECLARATION, {})
    return 'taken'
  } catch (error) {
    return (error as Error).message.replace(/^.*names nothing that is declared or recorded/, '')
  }
}

test.each([
  ['alertConfigurations.conections', 'alertConfigurations.connections'],
  ['alertConfiguration.connections', 'alertConfigurations.connections'],
  ['alert_configurations.host_down[5d1113b25a115342acc2d0f3]', 'alertConfigurations.host-down'],
  ['connection', 'alertConfigurations.connections'],
  ['alertConfiguration.*', 'alertConfigurations.*'],
  ['users', 'users.*'],
  ['users.', 'users.*'],
  ['alertConfiguration', 'alertConfigurations.*'],
  ['user', 'users.*'],
])('a target like %s is told that %s may be meant', (glob, meant) => {
  expect(refused(glob)).toBe(`; did you mean ${meant}?`)
})

test('the error about several targets says for each what may be meant', () => {
  expect(refused('user.dana', 'users.smm')).toBe('; did you mean users.dana, users.sam?')
})

test.each(['users.kimberley', 'users.z*', 'backups.*', 'whatever'])(
  'the error about the target %s makes no guess',
  (glob) => {
    expect(refused(glob)).toBe('')
  },
)

test.each(['', ' '])('a target like "%s" is told to be empty', (glob) => {
  expect(() => refuseEmptyTarget([glob], DECLARATION, {})).toThrow('the target is empty')
})

test('a target that names something is taken', () => {
  expect(refused('users.*', '*.connections', 'alertConfigurations.host-down')).toBe('taken')
})

test('a target that names a project of an entry is taken where only its things there are recorded', () => {
  const [entry, project] = ['alertConfigurations.gone', '5c8100bcf2a30b12ff88258f']
  const records = { [`${entry}[${project}/5d1113b25a115342acc2d0f3]`]: { identity: {} } as RecordedResource }
  expect(() => refuseEmptyTarget([`${entry}[${project}]`], DECLARATION, records)).not.toThrow()
  expect(() => refuseEmptyTarget([`${entry}[5c81]`], DECLARATION, records)).toThrow('names nothing')
})

/** The meaning of a glob, in its shortest form. */
const isMeant = (glob: string, text: string): boolean => {
  if (glob === '') return text === ''
  const [first, rest] = [glob.charAt(0), glob.slice(1)]
  if (first !== '*') return text.startsWith(first) && isMeant(rest, text.slice(1))
  return isMeant(rest, text) || (text !== '' && isMeant(glob, text.slice(1)))
}
const word = (letters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters.split('')), minLength: 1, maxLength })

test('a glob means what is its text with anything for each star', () => {
  fc.assert(
    fc.property(word('ab.*', 8), word('ab.', 12), (glob, address) => {
      expect(targetOf([glob])?.includes(address)).toBe(isMeant(glob, address))
    }),
  )
})

test('an entry is looked at when one of its instances can be meant', () => {
  fc.assert(
    fc.property(word('ab[*]', 6), word('ab', 4), word('ab', 3), (glob, entry, key) => {
      const looked = targetOf([glob])?.looksAt(entry)
      expect(looked === true || !isMeant(glob, `${entry}[${key}]`)).toBe(true)
    }),
  )
  expect(targetOf(['a.b[x*'])?.looksAt('a.b')).toBe(true)
  expect(targetOf(['a.b[x*'])?.looksAt('a.c')).toBe(false)
  expect(targetOf(['a.b[x]'])?.looksAt('a.b[p]')).toBe(false)
  expect(targetOf(['a.b[p/x]'])?.looksAt('a.b[p]')).toBe(true)
})

test('several globs mean what each of them means', () => {
  const part = word('ab[/]*', 6)
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), word('ab[/]', 6), (globs, address) => {
      const [all, each] = [targetOf(globs), globs.map((glob) => targetOf([glob]))]
      expect(all?.includes(address)).toBe(each.some((one) => one?.includes(address)))
      expect(all?.looksAt(address)).toBe(each.some((one) => one?.looksAt(address)))
    }),
  )
})

test('many stars take no longer than one', () => {
  const target = targetOf([`${'*'.repeat(60)}x`])
  expect(target?.includes('a'.repeat(5_000))).toBe(false)
  expect(target?.looksAt('a'.repeat(5_000))).toBe(true)
  expect(targetOf([`${'*a'.repeat(60)}x`])?.includes('a'.repeat(5_000))).toBe(false)
})
