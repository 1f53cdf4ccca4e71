import { describe, expect, it } from 'vitest'
import { at, begin, beginApplied, only, type Scene } from '../support/scene.ts'

let here: Scene

const DOWN = '5d1113b25a115342acc2d0f3'

describe('what an entry outside of the target claims', () => {
  it('is not written by a selector within it', async () => {
    here = await beginApplied(
      only(
        'alertConfigurations',
        `  all: { select: { eventTypeName: HOST_DOWN }, enabled: true }\n  noisy: { alertConfigId: ${DOWN}, enabled: false }`,
      ),
    )
    await here.forgetRequests()
    const { code, document } = await here.json('plan', '--target', 'alertConfigurations.all', '--all')
    expect(code).toBe(0)
    expect(at(document, `alertConfigurations.all[${DOWN}]`)).toBeUndefined()
    expect(document.summary).toMatchObject({ update: 0, adopt: 0 })
  })

  it('by another selector that disagrees is an error, as it is without a target', async () => {
    here = await begin({
      manifest: only(
        'alertConfigurations',
        `  on: { select: { eventTypeName: HOST_DOWN }, enabled: true }\n  off: { select: { eventTypeName: HOST_DOWN }, enabled: false }`,
      ),
    })
    const { code, stderr } = await here.run('plan', '--target', 'alertConfigurations.on')
    expect(code).toBe(1)
    expect(stderr).toContain('DM-SELECTOR-CONFLICT')
  })
})
