import type { KindDefinition } from '../../core/definition.ts'
import { isNone, type Operation } from '../../core/operation.ts'
import type { Need, RecordedResource } from '../values/model.ts'
import { toBody } from '../values/wire.ts'
import { overwriteNeeds } from '../write/overridden.ts'
import { request, type Sent, type WriteContext } from '../write/send.ts'

/** A field to write with its known value, for the sake of the answer or the event. */
interface One {
  readonly definition: KindDefinition
  readonly field: string
}

/** The flags that the write needs because somebody else has acted. */
export const neededFor = (
  { definition, field }: One,
  address: string,
  record: RecordedResource,
  context: WriteContext,
): Promise<Need[]> => overwriteNeeds(definition, { address, record, fields: [field] }, context)

/** @throws what `request` throws */
export const assertOne = (
  { definition, field }: One,
  address: string,
  record: RecordedResource,
  context: WriteContext,
  conclude: Parameters<typeof request>[2],
): Promise<Sent> => {
  const body = toBody(definition.fields, [field], record.applied)
  const operation = writeOf(definition)
  const { identity } = record
  const names = [field]
  return request(
    { address, operation, identity, body, kept: body, names, expected: record },
    context,
    conclude,
  )
}

const writeOf = ({ write, kind }: KindDefinition): Operation => {
  if (isNone(write)) throw new TypeError(`${kind} has no write`)
  return write.operation
}
