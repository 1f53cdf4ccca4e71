import { type ApiError, errorBody } from '../errors.ts'
import type { Link } from '../model/common.ts'
import type { Settings } from '../settings/settings.ts'
import type { Answer } from './endpoint.ts'
import type { Presentation } from './query.ts'

/** An answer as it is sent; undefined means no body. */
export interface Rendered {
  readonly status: number
  readonly contentType?: string
  readonly body?: Buffer
}

const json = 'application/json'

/** Renders a successful answer with pretty and envelope. */
export const renderAnswer = (
  answer: Answer,
  links: readonly Link[],
  presentation: Presentation,
): Rendered => {
  if (answer.kind === 'empty') return { status: answer.status }
  if (answer.kind === 'one') {
    const { status, body } = answer
    return jsonAnswer(status, presentation.envelope ? { status, content: body } : body, presentation)
  }
  const page = { results: answer.results, links, totalCount: answer.total }
  // With envelope=true, a list gets the status field in its own body.
  return jsonAnswer(200, presentation.envelope ? { ...page, status: 200 } : page, presentation)
}

const jsonAnswer = (status: number, body: object, presentation: Presentation): Rendered => ({
  status,
  contentType: json,
  body: Buffer.from(JSON.stringify(body, undefined, presentation.pretty ? 2 : 0)),
})

/** The status of an error under open.validationStatus and open.permissionStatus. */
export const errorStatus = (error: ApiError, settings: Settings): number => {
  if (error.kind === 'validation') return Number(settings.get('open.validationStatus'))
  if (error.kind === 'permission') return Number(settings.get('open.permissionStatus'))
  return error.status
}

/** Renders an error in the form of open.errorBody and open.errorEnvelope. */
export const renderError = (error: ApiError, presentation: Presentation, settings: Settings): Rendered => {
  const status = errorStatus(error, settings)
  const known = errorBody(error, status)
  const isForeign = settings.get('open.errorCodes') === 'foreign'
  const full = isForeign ? { ...known, errorCode: `X_${known.errorCode}` } : known
  const form = settings.get('open.errorBody')
  if (form === 'empty') return { status }
  if (form === 'text') return { status, contentType: 'text/plain', body: Buffer.from(full.reason) }
  const body = form === 'minimal' ? { error: full.error, reason: full.reason } : full
  const wrapped = presentation.envelope && settings.get('open.errorEnvelope') === 'wrapped'
  return jsonAnswer(status, wrapped ? { status, content: body } : body, presentation)
}

/** Renders the body of a challenge, which always exists, in the charset of the API description. */
export const renderChallenge = (error: ApiError, presentation: Presentation): Rendered => ({
  ...jsonAnswer(401, errorBody(error, 401), presentation),
  contentType: 'application/json;charset=ISO-8859-1',
})
