import type { KindDefinition } from '@deploymgmt/provider/core'
import { expect } from 'vitest'
import type { Case, Line } from '../support/line.ts'
import type { Release, Specimen, Thing } from '../support/specimen.ts'
import { cellOf, normal, thingOf, told, writeOf } from '../support/words.ts'

const addressOf = (kind: KindDefinition): string => `${kind.section}.mine`

interface Wanted {
  readonly way: string
  readonly release: Release
  /** Whether `onRemove` is left out, so that the first way of the definition applies. */
  readonly byDefault: boolean
}

const releases = ({ way, release, byDefault }: Wanted): Case => ({
  title: `${byDefault ? 'by default' : `with onRemove: ${way}`} ${release.title}`,
  ...(release.settings === undefined ? {} : { settings: release.settings }),
  async show(scene) {
    const { kind, managed, inWords } = scene.specimen
    expect(cellOf(kind, 'Release')).toContain(byDefault ? `\`${way}\` (default)` : `\`${way}\``)
    const onRemove = byDefault ? {} : { onRemove: way }
    await scene.applied({ mine: { ...managed.entry, ...release.declared, ...onRemove } })
    const before = await thingOf(scene, managed)
    await release.meanwhile?.(scene)
    await scene.forget()
    await scene.declare({})
    const { requests, writes } = requestOf(scene.specimen, release, before)
    const plan = await scene.plan()
    expect(plan.of('mine')).toMatchObject({
      action: release.action ?? 'release',
      requests,
    })
    expect(await scene.apply()).toMatchObject({ code: release.remains === true ? 2 : 0 })
    expect((await scene.sent()).writes).toEqual(writes)
    expect(scene.bodies).toEqual(release.body === undefined ? [] : [release.body])
    const after = inWords(await thingOf(scene, managed))
    expect(normal(after)).toEqual(normal({ ...inWords(before), ...release.leaves }))
    const { document } = await scene.plan()
    const left = document.changes.map(({ address, action }: any) => [address, action])
    expect(left).toEqual(release.remains === true ? [[addressOf(kind), 'blocked']] : [])
    expect(Object.keys(await scene.recorded())).toEqual(release.remains === true ? [addressOf(kind)] : [])
  },
})

const requestOf = (specimen: Specimen, { body }: Release, thing: Thing) => {
  if (body === undefined) return { requests: [], writes: [] }
  const request = writeOf(specimen, thing)
  const [method, path] = request.split(' ')
  return { requests: [{ method, path }], writes: [request] }
}

/** A way of removal that sends a request removes or narrows something, so `protect` blocks it. */
const protects = (way: string): Case => ({
  title: `with onRemove: ${way} is blocked while it is protected`,
  async show(scene) {
    const { kind, managed } = scene.specimen
    await scene.applied({ mine: { ...managed.entry, onRemove: way, protect: true } })
    const before = await thingOf(scene, managed)
    await scene.declare({})
    expect((await scene.plan()).of('mine')).toMatchObject({ action: 'blocked', requests: [] })
    const applied = await scene.apply()
    expect(applied.code).toBe(2)
    expect(told(applied)).toContain('protect')
    expect((await scene.sent()).writes).toEqual([])
    expect(await thingOf(scene, managed)).toEqual(before)
    expect(Object.keys(await scene.recorded())).toEqual([addressOf(kind)])
  },
})

const cases = ({ kind, release }: Specimen): Case[] =>
  Object.entries(kind.release).flatMap(([way, word], index) => {
    const all = release[way]
    if (all?.[0] === undefined) throw new Error(`the specimen of ${kind.kind} has no case of the way ${way}`)
    const wanted = all.map((each) => releases({ way, release: each, byDefault: false }))
    return [
      ...(index === 0 ? [releases({ way, release: all[0], byDefault: true })] : []),
      ...wanted,
      ...(word.way === 'send' ? [protects(way)] : []),
    ]
  })

export const release: Line = { word: 'Release', cases }
