import { expect, test } from 'vitest'
import { refuseEmptyTarget } from '../../reconciler/target.ts'

const ADDRESSES = [
  'alertConfigurations.connections',
  'alertConfigurations.host-down[5d1113b25a115342acc2d0f3]',
  'users.dana',
  'users.sam',
]
const refused = (...globs: string[]): string => {
  try {
    refuseEmptyTarget(globs, ADDRESSES)
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
])('a target like %s is told that %s may be meant', (glob, meant) => {
  expect(refused(glob)).toBe(`; did you mean ${meant}?`)
})

test('several targets are told at once what may be meant', () => {
  expect(refused('user.dana', 'users.smm')).toBe('; did you mean users.dana, users.sam?')
})

test.each(['users.kimberley', 'backups.*', 'whatever'])('a target like %s is told no guess', (glob) => {
  expect(refused(glob)).toBe('')
})

test('a target that names something is taken', () => {
  expect(refused('users.*', '*.connections', 'alertConfigurations.host-down')).toBe('taken')
})
