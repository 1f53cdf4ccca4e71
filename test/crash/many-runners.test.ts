import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { initState } from '../../reconciler/state/index.ts'
import { stores } from '../reconciler/state/stores/support/kinds-of-store.ts'
import { within } from '../support/installation.ts'
import { runProcess } from '../support/process.ts'
import { windowsAt } from '../support/one-window.ts'
import { begin, type Scene, writesIn } from '../support/scene.ts'
import { seedsOf, soakKills, tell } from '../support/soak.ts'
import { line, windows } from './support/two-windows.ts'

/** A tenth of the kills that a soak is asked for; a soak of 1000 has 100 rounds. */
const rounds = seedsOf(soakKills === undefined ? 1 : Math.ceil(soakKills / 10))
const AT_ONCE = soakKills === undefined ? [3] : [2, 3, 10]

/** A refusal names the owner of the lock; GitLab's own user stands in until the owner has written down who it is. */
const REFUSED = /DM-STATE-LOCKED.*: the state is locked by (?:"apply" \(process \d+ on |"root", since )/u

/** Each round changes one window and creates one. */
const manifestOf = (so: readonly number[]): string =>
  windows(line('always', '01', `round-${so.length}`), ...so.map((round) => line(`only-${round}`, '02')))

/** Every second runner waits for the others; the rest are refused while another one is running. */
const applyAt = async (scene: Scene, index: number, text: string) => {
  const folder = join(scene.folder, `runner-${index}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'deploymgmt.yaml'), text)
  const waits = index % 2 === 0
  const flags = waits ? ['--lock-timeout', '10m'] : []
  const ran = await runProcess(within(scene, folder), 'apply', '--auto-approve', ...flags)
  return { waits, ...ran }
}

describe.each(stores)(
  'several runners at once, with their state in $name,',
  ({ name, begin: beginStore, setUp }) => {
    setUp?.()

    it.each(AT_ONCE)(
      '%i of them: each change is made once, and the others wait or say for whom',
      async (count) => {
        const scene = await begin()
        const { address } = await beginStore()
        scene.env['DEPLOYMGMT_STATE'] = address
        const expected = { name: 'test', baseUrl: scene.env['DEPLOYMGMT_BASE_URL'] ?? '' }
        await initState({ statePath: address, folder: scene.folder, expect: expected, command: 'state init' })
        let [waited, refused] = [0, 0]
        for (let round = 1; round <= rounds.length; round += 1) {
          const so = rounds.slice(0, round)
          await scene.forgetRequests()
          const runs = Array.from({ length: count }, (_, runner) => applyAt(scene, runner, manifestOf(so)))
          for (const { waits, code, stderr } of await Promise.all(runs)) {
            const isRefused = !waits && REFUSED.test(stderr)
            expect({ code, stderr }).toMatchObject({ code: isRefused ? 1 : 0 })
            refused += isRefused ? 1 : 0
            waited += /Waiting for up to \d+ s: the state is locked by "apply" \(process /u.test(stderr)
              ? 1
              : 0
          }
          expect(await writesIn(scene)).toHaveLength(2)
          const made = so.map((each) => `only-${each}`)
          expect((await windowsAt(scene)).map(({ description }) => description)).toEqual([
            `round-${round}`,
            ...made,
          ])
        }
        const runs = rounds.length * count
        tell('Runners at once', `${name}, ${count}`, {
          Rounds: rounds.length,
          Runs: runs,
          Waited: waited,
          Refused: refused,
        })
      },
    )
  },
)
