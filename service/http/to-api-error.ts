import { ApiError, type ErrorCode, invalid } from '../errors.ts'

const codes: Readonly<Record<number, readonly [code: ErrorCode, detail: string]>> = {
  413: ['PAYLOAD_TOO_LARGE', 'The body is too large.'],
  414: ['URI_TOO_LONG', 'A part of the path is too long.'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'The Content-Type of a body must be application/json.'],
}

/** Converts any thrown value to an error answer; unexpected errors reveal nothing. */
export const toApiError = (thrown: unknown): ApiError => {
  if (thrown instanceof ApiError) return thrown
  const status = statusOf(thrown)
  if (status === undefined) {
    report(thrown)
    return new ApiError(500, 'UNEXPECTED_ERROR', 'The service failed.')
  }
  const [code, detail] = codes[status] ?? []
  return code === undefined || detail === undefined
    ? invalid('BAD_REQUEST', 'The request is not valid.')
    : new ApiError(status, code, detail)
}

/** Prints to stderr where the service failed; not the message, which can contain secrets. */
const report = (thrown: unknown): void => {
  const frames =
    thrown instanceof Error ? (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : []
  const name = thrown instanceof Error ? thrown.name : typeof thrown
  process.stderr.write(`${[`The service failed: ${name}`, ...frames].join('\n')}\n`)
}

/** The 4xx status of the server framework for an error of the request. */
const statusOf = (thrown: unknown): number | undefined => {
  const status = thrown instanceof Error && 'statusCode' in thrown ? thrown.statusCode : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined
}
