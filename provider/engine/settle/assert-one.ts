import type { KindDefinition } from '../../core/definition.ts'
import { relyOn, type Operation } from '../../core/operation.ts'
import { RequestError } from '../../errors/index.ts'
import type { RecordedResource } from '../values/model.ts'
import { toBody } from '../values/wire.ts'
import { overwriteNeeds } from '../write/overridden.ts'
import { Overtaken } from '../write/overtaken.ts'
import { request, type Sent, type WriteContext } from '../write/send.ts'
import type { Why } from './facts.ts'

/** A field to write with its known value, for the sake of the answer or the event. */
interface One {
  readonly definition: KindDefinition
  readonly field: string
  readonly address: string
  readonly record: RecordedResource
}

/**
 * The answer, or why there is none: the request had no success, or was not sent because somebody else has acted.
 * What is known of the lost request stays true then.
 */
export const assertOne = async (
  { definition, field, address, record }: One,
  context: WriteContext,
  conclude: Parameters<typeof request>[2],
): Promise<{ readonly sent: Sent } | { readonly why: Why }> => {
  try {
    const names = [field]
    const needs = await overwriteNeeds(definition, { address, record, fields: names }, context)
    if (needs.length > 0) return { why: { needs } }
    const body = toBody(definition.fields, names, record.applied)
    const operation = writeOf(definition)
    const send = { address, operation, identity: record.identity, body, kept: body, names, expected: record }
    return { sent: await request(send, context, conclude) }
  } catch (error) {
    if (error instanceof Overtaken) return { why: { needs: error.missing } }
    if (error instanceof RequestError) return { why: { error } }
    throw error
  }
}

const writeOf = ({ write, kind }: KindDefinition): Operation => relyOn(write, kind, 'write').operation
