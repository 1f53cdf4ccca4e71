import { expect, test } from 'vitest'
import { JournalCorruptError, JournalMismatchError } from '../../../reconciler/errors/index.ts'
import {
  type JournalContents,
  type JournalRecord,
  recover,
  type StateFile,
  stateDigest,
} from '../../../reconciler/state/index.ts'
import { openIntents } from '../../../reconciler/state/contents/open-intents.ts'
import { at, headerOf, intentFor, put, sample, stateWith } from './support/samples.ts'

const journalFrom = (state: StateFile, entries: JournalRecord[]): JournalContents => {
  const path = 'deploymgmt.state.journal'
  return {
    path,
    header: headerOf(state),
    entries,
    openIntents: openIntents(entries),
    droppedTail: false,
    warnings: [],
  }
}

const intent = (n: number): JournalRecord => ({ type: 'intent', n, at, ...intentFor(`things.${n}`) })
const effects = (...list: Extract<JournalRecord, { type: 'effects' }>['effects']) =>
  ({ type: 'effects', at, effects: list }) as const
const commitOf = (state: StateFile) =>
  ({ type: 'commit', at, serial: state.serial, digest: stateDigest(state) }) as const

test('effects of answers, resolutions and request-less changes are replayed in order', () => {
  const state = stateWith({ 'things.old': sample('old'), 'things.gone': sample('gone') })
  const before = structuredClone(state)
  const recovered = recover(
    state,
    journalFrom(state, [
      intent(1),
      { type: 'answer', n: 1, at, status: 201, outcome: 'done', effects: [put('things.1')] },
      intent(2),
      { type: 'unknown', n: 2, at, error: 'cut off' },
      { type: 'settled', at, of: [{ n: 2, how: 'an event' }], effects: [put('things.2')] },
      effects({ op: 'move', from: 'things.old', to: 'things.new' }, { op: 'drop', address: 'things.gone' }),
    ]),
  )
  expect(recovered.state.resources).toStrictEqual({
    'things.1': sample('things.1'),
    'things.2': sample('things.2'),
    'things.new': sample('old'),
  })
  expect(recovered).toMatchObject({ unknown: [], replayed: 3 })
  expect(state).toStrictEqual(before)
})

test('an intent that was withdrawn is not open, and changes nothing', () => {
  const state = stateWith()
  const entries: JournalRecord[] = [intent(1), intent(2), { type: 'withdrawn', n: 1, at }]
  expect(recover(state, journalFrom(state, entries))).toStrictEqual({
    state,
    unknown: [intent(2)],
    replayed: 0,
  })
})

const thing = (id: string) => ({ kind: 'thing', identity: { id } })

test('what was written to things that are no longer recorded is replayed, too', () => {
  const lastWrite = { from: at, to: at, by: 'ci', sent: [['name']] }
  const state = stateWith({ 'things.a': { ...sample('a'), ...thing('a'), lastWrite: null } })
  const { unrecorded } = recover(
    state,
    journalFrom(state, [
      effects({ op: 'drop', address: 'things.a', lastWrite }, { op: 'wrote', ...thing('b'), lastWrite }),
      effects({ op: 'wrote', ...thing('b'), lastWrite: { ...lastWrite, sent: [['size']] } }),
    ]),
  ).state
  expect(unrecorded).toStrictEqual([
    { ...thing('a'), lastWrite },
    { ...thing('b'), lastWrite: { ...lastWrite, sent: [['name'], ['size']] } },
  ])
})

const window = (id: string) => ({ kind: 'maintenance_window', identity: { id } })

test('what was recorded once of a kind that events alone tell of stays known, as does what is disowned', () => {
  const state = stateWith({
    'maintenanceWindows.a': { ...sample('a'), ...window('a') },
    'maintenanceWindows.b': { ...sample('b'), ...window('b') },
    'things.c': sample('c'),
  })
  const again = { ...sample('e'), ...window('e') }
  const { known } = recover(
    state,
    journalFrom(state, [
      effects({ op: 'drop', address: 'maintenanceWindows.a' }, { op: 'drop', address: 'things.c' }),
      // Another thing takes its place.
      effects({ op: 'put', address: 'maintenanceWindows.b', resource: { ...sample('b'), ...window('d') } }),
      effects({ op: 'disown', ...window('e'), at }, { op: 'disown', ...window('f'), at }),
      effects({ op: 'put', address: 'maintenanceWindows.e', resource: again }),
    ]),
  ).state
  expect(known?.map(({ identity }) => identity['id'])).toStrictEqual(['a', 'b', 'f'])
})

test('an intent with neither answer nor refusal nor resolution is unknown', () => {
  const state = stateWith()
  const { unknown } = recover(
    state,
    journalFrom(state, [
      intent(1),
      intent(2),
      intent(3),
      { type: 'refused', n: 1, at, error: '403' },
      { type: 'unknown', n: 3, at, error: 'timed out' },
    ]),
  )
  expect(unknown).toStrictEqual([intent(2), { ...intent(3), error: 'timed out', errorAt: at }])
})

test('what a saved state has already is not applied again, also where again would differ', () => {
  const state = stateWith({ 'a.a': sample('first') })
  const entries: JournalRecord[] = [
    effects({ op: 'move', from: 'a.a', to: 'a.b' }),
    effects({ op: 'put', address: 'a.a', resource: sample('second') }),
  ]
  const saved = { ...recover(state, journalFrom(state, entries)).state, serial: 2 }
  const later = effects(put('a.c'))
  const { state: again, replayed } = recover(saved, journalFrom(state, [...entries, commitOf(saved), later]))
  expect(again.resources).toStrictEqual({ ...saved.resources, 'a.c': sample('a.c') })
  expect(replayed).toBe(1)
})

test('a commit that did not reach the disk is replayed from the beginning', () => {
  const state = stateWith()
  const lost = { ...stateWith({ 'a.a': sample('a.a') }), serial: 2 }
  const { state: recovered } = recover(state, journalFrom(state, [effects(put('a.a')), commitOf(lost)]))
  expect(recovered.resources).toStrictEqual(lost.resources)
})

test.each([
  ['another lineage', { lineage: 'elsewhere' }, 'continues lineage'],
  ['an earlier serial', { serial: 1 }, 'the journal continues serial 2, but the state has serial 1'],
  [
    'a serial that no commit led to',
    { serial: 3 },
    'the journal continues serial 2, but the state has serial 3',
  ],
  ['the same serial and other content', { resources: {} }, 'the state has changed'],
])('a state with %s is refused', (_, change, why) => {
  const state = stateWith({ 'a.a': sample('a') }, 2)
  const recovering = () => recover({ ...state, ...change }, journalFrom(state, [effects(put('a.b'))]))
  expect(recovering).toThrow(JournalMismatchError)
  expect(recovering).toThrow(why)
})

test('a later state that is not the one announced is refused', () => {
  const state = stateWith()
  const announced = stateWith({ 'a.a': sample('a.a') }, 2)
  const foreign = stateWith({ 'b.b': sample('b.b') }, 2)
  expect(() => recover(foreign, journalFrom(state, [effects(put('a.a')), commitOf(announced)]))).toThrow(
    JournalMismatchError,
  )
})

test('effects that cannot follow from the state are refused', () => {
  const state = stateWith({ 'a.a': sample('a'), 'a.b': sample('b') })
  const impossible = [
    effects({ op: 'drop', address: 'a.c' }),
    effects({ op: 'move', from: 'a.c', to: 'a.d' }),
    effects({ op: 'move', from: 'a.a', to: 'a.b' }),
  ]
  for (const entry of impossible) {
    expect(() => recover(state, journalFrom(state, [entry]))).toThrow(JournalCorruptError)
  }
})
