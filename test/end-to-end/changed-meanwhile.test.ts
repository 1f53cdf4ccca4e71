import { describe, expect, it } from 'vitest'
import { ONCALL, PROJECT } from '../support/installation.ts'
import { applied, at, begin, only, writesIn, type Scene } from '../support/scene.ts'
import { END, fields, windowsAt } from '../support/one-window.ts'

let here: Scene

const WINDOWS = `/groups/${PROJECT}/maintenanceWindows`
const W1 = 'maintenanceWindows.w1'
const THEIRS = '2035-01-06T08:00:00Z'

const two = (description: string): string =>
  only('maintenanceWindows', ['w0', 'w1'].map((name) => `  ${name}: ${fields({ description })}`).join('\n'))

const idOf = async (address: string): Promise<string> => (await here.state()).resources[address].identity.id
const live = async (address: string): Promise<any> => {
  const id = await idOf(address)
  return (await windowsAt(here)).find((window) => window.id === id)
}

/** Both windows get another description, and while the first write is under way somebody else acts on w1. */
const applyWhile = async (act: (path: string) => Promise<void>, ...words: string[]): Promise<any> => {
  here = await begin({ proxied: true })
  await applied(here, two('first'))
  await here.control('POST', 'clock', { advance: 'PT10S' })
  const path = `${WINDOWS}/${await idOf(W1)}`
  await here.manifest(two('second'))
  await here.forgetRequests()
  here.proxy.steer(async ({ write }, forward) => {
    const answer = await forward()
    if (write === 1) await act(path)
    return answer
  })
  const ran = await here.json('apply', '--auto-approve', '--concurrency', '1', ...words)
  here.proxy.steer((_, forward) => forward())
  return ran
}
const extend = async (path: string): Promise<void> => {
  await here.outside('PATCH', path, { endDate: THEIRS }, ONCALL)
  await here.control('POST', 'clock', { advance: 'PT3S' })
}

describe('what somebody else changes while an apply runs, and the answer to a write shows', () => {
  it('is not put back by a write that nobody has seen', async () => {
    const { code, document, stderr } = await applyWhile(extend)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(document.problems).toMatchObject([{ address: W1, status: 'failed', error: { code: 'DM-GUARD' } }])
    expect(document.problems[0].error.message).toMatch(
      /somebody else has changed endDate.*--allow-overwrite/s,
    )
    expect(await live(W1)).toMatchObject({ description: 'second', endDate: THEIRS })
    const own = (await here.requests()).log.filter(
      ({ key, method }) => key === 'ciadmin' && method === 'PATCH',
    )
    expect(own).toHaveLength(2)
  })

  it('is drift then, and the next plan shows what would be put back', async () => {
    await applyWhile(extend)
    const drift = await here.json('drift')
    expect(drift.code).toBe(2)
    expect(at(drift.document, W1)).toMatchObject({
      verdict: 'drifted',
      fields: [{ path: 'endDate', before: END, after: THEIRS }],
    })
    const plan = at((await here.json('plan')).document, W1)
    expect(plan).toMatchObject({
      action: 'update',
      reasonCode: 'live-differs',
      fields: [{ path: 'endDate', before: THEIRS, after: END }],
    })
    await here.forgetRequests()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await writesIn(here)).toEqual([`PATCH ${WINDOWS}/${await idOf(W1)}`])
    expect(await live(W1)).toMatchObject({ endDate: END })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })

  it('is no drift any more once it is accepted, and still not what is declared', async () => {
    await applyWhile(extend)
    expect(await here.run('state', 'accept', W1)).toMatchObject({ code: 0 })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    expect(at((await here.json('plan')).document, W1)).toMatchObject({
      fields: [{ path: 'endDate', before: THEIRS, after: END }],
    })
  })

  it('is put back with --allow-overwrite, and said', async () => {
    const { code, document } = await applyWhile(extend, '--allow-overwrite')
    expect(code).toBe(0)
    expect(document.problems).toEqual([])
    expect(await live(W1)).toMatchObject({ description: 'second', endDate: END })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })
})
