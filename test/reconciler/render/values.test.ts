import { describe, expect, it } from 'vitest'
import { ofField } from '../../../reconciler/render/document/field-type.ts'
import { duration, instantOf, relative, took } from '../../../reconciler/text/instants.ts'
import { wrap } from '../../../reconciler/text/lines.ts'
import { quoted, shellWord } from '../../../reconciler/text/display.ts'
import { fromWhereTheyDiffer } from '../../../reconciler/render/wording/value-pairs.ts'
import { showValue, tellingLength } from '../../../reconciler/text/values.ts'
import { NOW, ORGANIZATION, PROJECT } from './support/documents.ts'

describe('a value for a person', () => {
  it.each([
    [null, '(none)'],
    [undefined, '(none)'],
    [[], '(empty)'],
    [{}, '(empty)'],
    ['', '""'],
    [' padded ', '" padded "'],
    [false, 'false'],
    [1.5, '1.5'],
    ['2026-12-05T02:00:00Z', '2026-12-05 02:00 UTC'],
    ['2026-12-05T02:00:30.250+02:00', '2026-12-05 00:00:30 UTC'],
    ['2026-13-45T99:00:00Z', '2026-13-45T99:00:00Z'],
    [['HOST', 'REPLICA_SET'], 'HOST, REPLICA_SET'],
    [['one, two', 'three'], '"one, two", three'],
    [{ env: 'DANA_INITIAL_PASSWORD' }, 'env DANA_INITIAL_PASSWORD'],
    [{ fieldName: 'HOSTNAME', operator: 'EQUALS', value: 'db1' }, 'HOSTNAME operator EQUALS value db1'],
    [{ a: { b: [1, 2] } }, 'a (b (1, 2))'],
    ['tab\there', 'tab here'],
    ['bell\u0007', String.raw`bell\u0007`],
  ])('%j is %s', (value, shown) => {
    expect(showValue(value)).toBe(shown)
  })

  it('has the fraction of a second where that can be all that differs', () => {
    const field = ofField({ kind: 'maintenance_window' }, 'startDate')
    expect(showValue('2026-12-05T02:00:30.250Z', field)).toBe('2026-12-05 02:00:30.250 UTC')
    expect(showValue('2026-12-05T02:00:30Z', field)).toBe('2026-12-05 02:00:30 UTC')
  })

  it('has its ids shortened inside of objects where asked', () => {
    const role = { roleName: 'ORG_MEMBER', orgId: ORGANIZATION }
    expect(showValue(role, { idLength: 4 })).toBe('ORG_MEMBER orgId 5980…')
    expect(showValue(role)).toBe(`ORG_MEMBER orgId ${ORGANIZATION}`)
    expect(showValue(PROJECT, { idLength: 4 })).toBe(PROJECT)
  })

  it('has ids as long as it takes to tell them apart', () => {
    expect(tellingLength([ORGANIZATION, PROJECT])).toBe(4)
    expect(tellingLength(['5980cfdf0b6d97029d82f86e', '5980cfdf0b6d97029d82f86f'])).toBe(24)
    const long = '5980cfdf0b6d97029d82f86e5980cfd'
    expect(tellingLength([`${long}0`, `${long}1`])).toBe(32)
  })
})

describe('time for a person', () => {
  it.each([
    ['2026-12-05T02:00:00Z', 'in 15 days'],
    ['2026-11-20T06:00:00Z', 'now'],
    ['2026-11-20T06:00:58Z', 'in 58 s'],
    ['2026-11-20T05:59:40Z', '20 s ago'],
    ['2026-11-20T03:00:00Z', '3 h ago'],
    ['2026-11-21T06:10:00Z', 'in 1 day'],
    ['2027-05-20T06:00:00Z', 'in 6 months'],
    ['2030-11-20T06:00:00Z', 'in 4 years'],
  ])('%s is %s', (at, shown) => {
    expect(relative(instantOf(at) ?? 0, NOW)).toBe(shown)
  })

  it.each([
    [7_200_000, '2 h'],
    [5_400_000, '1 h 30 min'],
    [1000, '1 s'],
    [90_000_000, '1 day 1 h'],
    [0, '0 s'],
  ])('%i ms last %s', (ms, shown) => {
    expect(duration(ms)).toBe(shown)
  })

  it.each([
    [0.31, '0.31 s'],
    [12.36, '12.4 s'],
    [185, '3 min 5 s'],
  ])('%d seconds took %s', (seconds, shown) => {
    expect(took(seconds)).toBe(shown)
  })
})

describe('text', () => {
  it('is cut between characters, not within one', () => {
    const name = `${'n'.repeat(56)}🔔 and more`
    expect(quoted(name)).toBe(`"${'n'.repeat(56)}…"`)
    const bells = '🔔'.repeat(20)
    expect(fromWhereTheyDiffer(`${bells}a1`, `${bells}a2`)).toEqual(['…🔔🔔🔔🔔a1', '…🔔🔔🔔🔔a2'])
  })

  it('is wrapped at spaces, counts wide characters as two, and keeps long words whole', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrap('漢字 漢字', 7)).toEqual(['漢字', '漢字'])
    expect(wrap('5d1113b25a115342acc2d0f3 x', 10)).toEqual(['5d1113b25a115342acc2d0f3', 'x'])
  })

  it('becomes one word of a command', () => {
    expect(shellWord('users.dana')).toBe('users.dana')
    expect(shellWord('a.b[c]')).toBe("'a.b[c]'")
    expect(shellWord('~root')).toBe("'~root'")
    expect(shellWord("it's")).toBe(String.raw`'it'\''s'`)
  })

  it.each([
    [String.raw`C:\ci\deploymgmt.yaml`, String.raw`C:\ci\deploymgmt.yaml`],
    [String.raw`C:\our files\a.yaml`, String.raw`"C:\our files\a.yaml"`],
    ['C:\\our files\\', String.raw`"C:\our files\\"`],
    ['a.b[c]', '"a.b[c]"'],
    ['one,two', '"one,two"'],
    ["it's", `"it's"`],
    ['$env:x', "'$env:x'"],
    ['say "it\'s"', `'say "it''s"'`],
  ])('of Windows, %s is one word of both its shells as far as that can be', (text, word) => {
    expect(shellWord(text, 'win32')).toBe(word)
  })
})
