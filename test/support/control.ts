import type { RunningService } from '@deploymgmt/service'

/** Calls the control interface of a service, and returns what it answers; an error status is thrown. */
export type Control = (method: string, path: string, body?: unknown) => Promise<any>

export const controlOf = ({
  controlUrl = '',
  controlToken = '',
}: Pick<RunningService, 'controlUrl' | 'controlToken'>): Control => {
  const headers = { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' }
  return async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${controlUrl}/${path}`, { method, headers, ...sent })
    const said = await answer.text()
    if (!answer.ok) throw new Error(`control ${method} ${path}: ${answer.status} ${said}`)
    return said === '' ? undefined : JSON.parse(said)
  }
}
