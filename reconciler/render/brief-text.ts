import type { ManifestFinding } from '../errors/finding.ts'

/** What `validate` found; manifests with errors are refused instead. */
export interface Validation {
  readonly valid: true
  readonly name: string
  readonly entries: number
  readonly warnings: readonly ManifestFinding[]
}

/** What a command that reports nothing else has done. */
export interface Done {
  readonly formatVersion: 1
  readonly done: string
}

/** Where the embedded service answers. */
export interface Ready {
  readonly ready: true
  readonly baseUrl: string
  readonly controlUrl?: string
  readonly controlToken?: string | undefined
}

export const renderValidation = ({
  document: { name, entries },
}: {
  readonly document: Validation
}): string => `${name}: ${entries} ${entries === 1 ? 'entry' : 'entries'}, all valid. Nothing was sent.`

export const renderDone = ({ document }: { readonly document: Done }): string => document.done

export const renderReady = ({
  document: { baseUrl, controlUrl, controlToken = '' },
  data,
}: {
  readonly document: Ready
  readonly data: string | undefined
}): string =>
  [
    `The service answers at ${baseUrl}`,
    ...(controlUrl === undefined ? [] : [`control: ${controlUrl} with the bearer token ${controlToken}`]),
    `${data === undefined ? 'It keeps nothing.' : `It keeps its data in ${data}.`} Ctrl-C stops it.`,
  ].join('\n')
