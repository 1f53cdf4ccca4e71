import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, it } from 'vitest'
import { doors, type DoorName } from './values/doors.ts'
import { sound, table, type Row } from './values/table.ts'

/** A row without the name of a field changes several of them. */
const valuesOf = ({ kind, field, value }: Row) => ({
  ...sound.get(kind),
  ...(field === '' ? (value as object) : { [field]: value }),
})

const titleOf = ({ kind, field, value, is }: Row): string => {
  const written = JSON.stringify(value)
  const shown = written.length > 60 ? `${written.slice(0, 60)}… (${String(written.length)})` : written
  return `${kind.kind}${field === '' ? '' : `.${field}`} = ${shown} is ${is}`
}

describe.each(Object.entries(doors))('%s', (name, refusals) => {
  it.each(kinds.map((kind) => [kind.kind, kind] as const))('takes a sound %s', async (_, kind) => {
    expect(await refusals(kind, sound.get(kind) ?? {})).toEqual([])
  })

  const here = table.filter(({ not }) => not[name as DoorName] === undefined)
  it.each(here.map((row) => [titleOf(row), row] as const))('%s', async (_, row) => {
    const said = await refusals(row.kind, valuesOf(row))
    expect(said, 'what the door says').toHaveLength(row.is === 'good' ? 0 : Math.max(1, said.length))
  })
})
