import { commonly, number, object } from '../../core/field.ts'
import { UNITS } from '../../vocabulary.ts'

/** A measured value. */
export const currentValue = (summary: string) =>
  object(
    {
      number: number('The value.'),
      units: commonly(UNITS, 'unit', 'Its unit.'),
    },
    summary,
  )
