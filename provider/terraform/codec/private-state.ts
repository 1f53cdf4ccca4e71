import type { RecordedResource } from '../../engine/index.ts'

/** What Terraform keeps for us beside a resource's attributes: records by address, and nothing secret. */
export interface PrivateState {
  readonly records: Readonly<Record<string, RecordedResource>>
  /** It came by an import, and no apply has been since: when that was, ISO 8601. */
  readonly importedAt?: string
  /** Keys of what a selector stood for when it was applied, and no longer matches: they are to be released. */
  readonly leaving?: readonly string[]
  /** Ids of others' events that the last reading told of: a plan after it shows what they may have changed. */
  readonly seen?: readonly string[]
  /** Terraform handed over no private state at all, though ours is never empty: it was lost. */
  readonly lost?: true
}

export const readPrivate = (bytes: Uint8Array): PrivateState => {
  if (bytes.length === 0) return { records: {}, lost: true }
  const { records = {}, ...rest } = JSON.parse(textOf(bytes)) as Partial<PrivateState>
  return { records, ...rest }
}

export const writePrivate = (state: PrivateState): Uint8Array =>
  Buffer.from(JSON.stringify({ ...state, lost: undefined }))

const textOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('utf8')
