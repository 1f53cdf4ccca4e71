import { formatPosition } from '../values/model.ts'
import type { Instance } from '../values/instance.ts'
import type { PlannedChange } from '../plan/work.ts'
import type { WriteContext } from './send.ts'

/**
 * A secret that will be read when a plan is carried out: its reference, its field, and the entry that declares it.
 */
export interface SecretUse {
  readonly reference: unknown
  readonly address: string
  readonly field: string
  readonly declaredAt: string
  /** The path of a file as it is declared: the same in each checkout. */
  readonly declaredPath: string | undefined
}

export const secretsOf = (planned: readonly PlannedChange[]): SecretUse[] =>
  planned.flatMap(({ work }): readonly SecretUse[] => {
    if (work.do !== 'create') return NONE
    const { desired, address, entry } = work.instance
    return secretNames(work.instance).map((field) => ({
      reference: desired[field],
      address,
      field,
      declaredAt: formatPosition(entry.secretsAt?.[field] ?? entry.declaredAt),
      declaredPath: entry.secretPaths?.[field],
    }))
  })

/** The secrets of a creation, read now, by field. */
export const secretsFor = async (
  instance: Instance,
  context: WriteContext,
): Promise<Record<string, string>> => {
  const { desired, address } = instance
  const read = secretNames(instance).map(
    async (name) => [name, await context.secret(desired[name], `${address}.${name}`)] as const,
  )
  return Object.fromEntries(await Promise.all(read))
}

/** The declared fields that hold a secret. */
const secretNames = ({ definition: { fields }, desired }: Instance): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.type.is === 'secret' && desired[name] !== undefined)

const NONE: readonly SecretUse[] = []
