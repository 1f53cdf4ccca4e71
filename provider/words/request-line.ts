import { printable, type RequestEvent } from '../api/index.ts'
import { isNone, type DataSourceDefinition, type KindDefinition, type Operation } from '../core/index.ts'

/**
 * A request as traces show it: `GET /groups/5c81…/alertConfigs → 200 in 12 ms · reads alert_configurations (endpoint
 * 5), attempt 2, after DM-SERVICE-FAILURE, waited 400 ms`. Events contain no body and no credential.
 */
export const requestLines = (
  kinds: readonly KindDefinition[],
  dataSources: readonly DataSourceDefinition[],
): ((event: RequestEvent) => string) => {
  const purposeOf = purposes(kinds, dataSources)
  return (event) => lineOf(event, purposeOf(event))
}

const lineOf = (event: RequestEvent, purpose: string | undefined): string => {
  const { method, path, status, attempt, ms, authorized, waitedMs, after, about } = event
  const why = [
    ...(authorized ? [] : ['asks for a challenge']),
    ...(about === undefined ? [] : [printable(about)]),
    ...(purpose === undefined ? [] : [purpose]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(after === undefined ? [] : [`after ${printable(after)}`]),
    ...(waitedMs >= 1 ? [`waited ${Math.round(waitedMs)} ms`] : []),
  ]
  const answer = status === undefined ? 'no answer' : String(status)
  const line = `${method} ${printable(path, 2000)} → ${answer} in ${Math.round(ms)} ms`
  return why.length === 0 ? line : `${line} · ${why.join(', ')}`
}

interface Purpose {
  readonly method: string
  readonly pattern: RegExp
  readonly says: string
}

/** What definitions say about the endpoint of a request. */
const purposes = (
  kinds: readonly KindDefinition[],
  dataSources: readonly DataSourceDefinition[],
): ((event: RequestEvent) => string | undefined) => {
  const all: Purpose[] = [
    ...dataSources.map(({ operation, name }) => purposeOf(operation, `reads ${name}`)),
    ...kinds.flatMap(({ kind, write, absence, establish: { create } }) => [
      ...(isNone(create) ? [] : [purposeOf(create.operation, `creates ${kind}`)]),
      ...(isNone(write) ? [] : [purposeOf(write.operation, `changes ${kind}`)]),
      ...(isNone(absence) ? [] : [purposeOf(absence.operation, `deletes ${kind}`)]),
    ]),
  ]
  return ({ method, path }) => {
    const [plain = ''] = path.split('?')
    return all.find((each) => each.method === method && each.pattern.test(plain))?.says
  }
}

const purposeOf = ({ method, path, endpoint }: Operation, does: string): Purpose => {
  const literal = path
    .replace(/\/$/u, '')
    .split(/\{\w+\}/u)
    .map((part) => part.replaceAll(/[.*+?^$()[\]|\\]/gu, String.raw`\$&`))
  return {
    method,
    pattern: new RegExp(`^${literal.join('[^/]+')}/?$`, 'u'),
    says: `${does} (endpoint ${endpoint})`,
  }
}
