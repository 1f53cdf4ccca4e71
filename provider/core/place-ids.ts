import type { Fields, FieldType, Place } from './field.ts'
import { isObject, type Values } from './values.ts'

/** An id within values that names a place, such as the project of a role. */
export interface PlaceId {
  /** `roles[0].projectId`. */
  readonly path: string
  readonly place: Place
  readonly id: string
}

/** All ids within values that name places. */
export const placeIdsIn = (fields: Fields, values: Values): readonly PlaceId[] =>
  idsIn({ is: 'object', fields }, values).map(({ path, ...rest }) => ({ ...rest, path: path.slice(1) }))

const idsIn = (type: FieldType, value: unknown): readonly PlaceId[] => {
  if (type.is === 'id')
    return type.place !== undefined && typeof value === 'string'
      ? [{ path: '', place: type.place, id: value }]
      : []
  if ((type.is === 'set' || type.is === 'list') && Array.isArray(value))
    return value.flatMap((item, index) => below(`[${index}]`, idsIn(type.of, item)))
  if (type.is !== 'object' || !isObject(value)) return []
  return Object.entries(type.fields).flatMap(([name, field]) =>
    below(`.${name}`, idsIn(field.type, value[name])),
  )
}

const below = (step: string, found: readonly PlaceId[]): readonly PlaceId[] =>
  found.map((each) => ({ ...each, path: step + each.path }))

/** Whether a value of the type can name a place. */
export const canNamePlace = (type: FieldType): boolean => {
  if (type.is === 'set' || type.is === 'list') return canNamePlace(type.of)
  if (type.is === 'object') return Object.values(type.fields).some((field) => canNamePlace(field.type))
  return type.is === 'id' && type.place !== undefined
}
