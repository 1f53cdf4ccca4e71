import { execFileSync } from 'node:child_process'
import {
  link,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { ReportedChange } from '../../reconciler/render/document/plan-model.ts'
import { OutputError, PlanFileError } from '../../reconciler/errors/index.ts'
import { digestOf, readPlanFile, savedPlanText, savePlan } from '../../reconciler/plan-file/file.ts'
import { divergences } from '../../reconciler/plan-file/stale.ts'
import { renderPlan } from '../../reconciler/render/terminal/plan-text.ts'
import { toJson } from '../../reconciler/text/json.ts'
import { initState, nodeFiles } from '../../reconciler/state/index.ts'
import { resealed, turned } from '../support/saved-plan.ts'
import { planOf, savedPlan } from './render/support/documents.ts'
import { filesWith, systemError } from './state/support/faults.ts'

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'deploymgmt-plan-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

const update: ReportedChange = {
  address: 'apiKeys.reporting',
  kind: 'api_key',
  action: 'update',
  reasonCode: 'live-differs',
  reason: 'changed outside',
  declaredAt: 'deploymgmt.yaml:9:3',
  before: { desc: 'a', roles: ['ORG_MEMBER'] },
  after: { desc: 'b', roles: ['ORG_MEMBER'] },
  fields: [{ path: 'desc', before: 'a', after: 'b', note: 'seen' }],
  evidence: {
    level: 'suspect',
    since: '2026-11-20T12:00:00Z',
    note: 'No endpoint returns a key.',
    events: [
      {
        id: '1',
        eventTypeName: 'API_KEY_ROLES_CHANGED',
        created: '2026-11-20T12:00:00Z',
        publicKey: 'oncall',
      },
    ],
  },
  actor: {
    publicKey: 'oncall',
    at: '2026-11-20T12:00:00Z',
    eventId: '1',
    eventTypeName: 'X',
    confidence: 'low',
  },
  requests: [{ method: 'PATCH', path: '/orgs/1/apiKeys/2' }],
  byHand: 'Organization → Keys',
  notes: ['one'],
  needs: [{ flag: '--allow-overwrite', because: 'it is so' }],
}

const plan = savedPlan({
  vars: ['a=b'],
  target: ['apiKeys.*'],
  document: planOf(
    [
      update,
      { ...update, address: 'apiKeys.moved', action: 'moved', from: 'apiKeys.old', before: null, fields: [] },
    ],
    { warnings: ['w'] },
  ),
})

const asSaved = { plan, sha256: digestOf(savedPlanText(plan)) }

test('a plan that was saved is read again as it was', async () => {
  const path = join(await folder(), 'plan.bin')
  await savePlan(path, plan)
  expect(await readPlanFile(path)).toEqual(asSaved)
})

test('a plan is readable by its owner alone from its first byte on', async () => {
  const path = join(await folder(), 'plan.bin')
  const modes: number[] = []
  const files = filesWith({
    create: async (name) => {
      const file = await nodeFiles.create(name)
      modes.push((await stat(name)).mode & 0o777)
      return file
    },
  })
  await savePlan(path, plan, { files })
  expect(modes).toEqual([0o600])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a plan takes the place of an older one in one step, also through a link and over a loose mode', async () => {
  const at = await folder()
  const path = join(at, 'plan.bin')
  await writeFile(path, 'older', { mode: 0o644 })
  await link(path, join(at, 'same-file'))
  await symlink(path, join(at, 'link.bin'))
  await savePlan(join(at, 'link.bin'), plan)
  expect(await readFile(join(at, 'same-file'), 'utf8')).toBe('older')
  expect(await readPlanFile(path)).toEqual(asSaved)
  expect(await readdir(at)).toHaveLength(3)
})

test('a plan that cannot be written leaves the older one whole', async () => {
  const at = await folder()
  const path = join(at, 'plan.bin')
  await savePlan(path, plan)
  const files = filesWith({
    create: async (name) => ({
      ...(await nodeFiles.create(name)),
      sync: async () => {
        throw systemError('ENOSPC')
      },
    }),
  })
  await expect(savePlan(path, { ...plan, vars: [] }, { files })).rejects.toBeInstanceOf(OutputError)
  expect(await readPlanFile(path)).toEqual(asSaved)
  expect(await readdir(at)).toEqual(['plan.bin'])
})

test.each([
  ['not JSON', '{"savedPlan": true,'],
  ['no object', 'null'],
  ['a list', '[]'],
  ['a key twice', '{"savedPlan": true, "savedPlan": true, "formatVersion": 1}'],
  ['a plan document', toJson(plan.document)],
  ['of a later format', toJson({ ...plan, formatVersion: 2 })],
  ['no more than its head', '{"savedPlan": true, "formatVersion": 1}'],
])('a file that is %s is refused as a plan file', async (_, text) => {
  const path = join(await folder(), 'plan.bin')
  await writeFile(path, text, { mode: 0o600 })
  await expect(readPlanFile(path)).rejects.toBeInstanceOf(PlanFileError)
})

/** The path to every value in a plan. */
const placesIn = (value: unknown, path: readonly string[] = []): (readonly string[])[] => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))
    : []),
]

const replaced = (of: object, path: readonly string[], by: unknown): object => {
  const copy = structuredClone(of) as any
  let parent = copy
  for (const key of path.slice(0, -1)) parent = parent[key]
  if (by === undefined) delete parent[path.at(-1) ?? '']
  else parent[path.at(-1) ?? ''] = by
  return copy
}

test('a plan file with any one value missing or wrong is refused, or can be shown and compared', async () => {
  const path = join(await folder(), 'plan.bin')
  const style = { color: false, width: 80, now: new Date('2026-11-20T12:00:00Z'), all: true }
  const head = { title: 'plan', projects: [], declared: 0, seconds: 0 }
  const outcomes: unknown[] = []
  for (const place of placesIn(plan).slice(1))
    for (const by of [undefined, null, -1.5, 'x', true, [], [null], {}, { x: null }]) {
      await writeFile(path, resealed(replaced(plan, place, by)), { mode: 0o600 })
      outcomes.push(
        await readPlanFile(path)
          .then(({ plan: read }) => {
            renderPlan({ document: read.document, head }, style)
            divergences(read.document.changes, plan.document.changes)
            return 'taken'
          })
          .catch((error: unknown) =>
            error instanceof PlanFileError
              ? 'refused'
              : `${place.join('.')} = ${JSON.stringify(by)}: ${String(error)}`,
          ),
      )
    }
  expect(new Set(outcomes)).toEqual(new Set(['taken', 'refused']))
  expect(outcomes.filter((each) => each === 'refused').length).toBeGreaterThan(400)
})

test.each([
  [
    'a word of what is shown',
    (text: string) => text.replace('"reason": "changed outside"', '"reason": "routine"'),
  ],
  ['a word of its heading', (text: string) => text.replace('"w"', '"nothing to see"')],
  ['a key that is not known', (text: string) => text.replace('{', '{"more": 1,')],
  ['its own digest', (text: string) => text.replace(/"contentSha256": "./, '"contentSha256": "x')],
])('a plan that was edited in %s is refused', async (_, edit) => {
  const path = join(await folder(), 'plan.bin')
  await savePlan(path, plan)
  const text = await readFile(path, 'utf8')
  expect(edit(text)).not.toBe(text)
  await writeFile(path, edit(text))
  await expect(readPlanFile(path)).rejects.toMatchObject({
    message: 'the saved plan has been edited or damaged since it was made',
    hint: PlanFileError.remedy,
  })
})

test('a plan file with any one value edited is refused, whatever the value is of', async () => {
  const path = join(await folder(), 'plan.bin')
  const saved = JSON.parse(savedPlanText(plan))
  const taken: string[] = []
  for (const place of placesIn(saved).slice(1))
    for (const by of [undefined, null, 7, 'x', {}]) {
      const edited = replaced(saved, place, by)
      if (isDeepStrictEqual(edited, saved)) continue
      await writeFile(path, toJson(edited), { mode: 0o600 })
      const read = await readPlanFile(path).catch((error: unknown) => error)
      if (!(read instanceof PlanFileError)) taken.push(`${place.join('.')} = ${JSON.stringify(by)}`)
    }
  expect(taken).toEqual([])
})

test('a plan without a digest of its content is refused: nothing tells whether it was edited', async () => {
  const path = join(await folder(), 'plan.bin')
  await writeFile(path, toJson(plan), { mode: 0o600 })
  await expect(readPlanFile(path)).rejects.toMatchObject({
    message: 'the file is not a whole saved plan: $.contentSha256 has to be a string',
    hint: PlanFileError.remedy,
  })
})

test.each([
  ['without spaces', (saved: unknown) => saved],
  ['with its keys in another order', turned],
])('a plan that is laid out in another way is the same plan: %s', async (_, layOut) => {
  const path = join(await folder(), 'plan.bin')
  await savePlan(path, plan)
  const text = JSON.stringify(layOut(JSON.parse(await readFile(path, 'utf8'))))
  await writeFile(path, text, { mode: 0o600 })
  expect((await readPlanFile(path)).plan).toEqual(plan)
})

test.each([
  ['deploymgmt.yaml', 'version: 1\nname: a\n', 'the file is a manifest, not a saved plan'],
  ['deploymgmt.json', '{ "version": 1, "name": "a" }', 'the file is a manifest, not a saved plan'],
  ['cdk.tf.json', '{ "resource": {} }', 'the file is a manifest, not a saved plan'],
  ['part.yml', '{ users: {} }', 'the file is not a saved plan: '],
  ['absent.yaml', undefined, 'there is no such plan file'],
])('a manifest in the place of a plan is told its flag: %s', async (name, text, message) => {
  const path = join(await folder(), name)
  if (text !== undefined) await writeFile(path, text)
  const error: unknown = await readPlanFile(path, name).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(PlanFileError)
  expect((error as PlanFileError).message).toContain(message)
  expect((error as PlanFileError).hint).toBe(`A manifest is named with a flag: -f ${name}`)
})

test('a state in the place of a plan is called one, and told its flag', async () => {
  const path = join(await folder(), 'deploymgmt.state.json')
  await initState({
    statePath: path,
    expect: { name: 'test', baseUrl: 'http://127.0.0.1/api/public/v1.0' },
    command: 'state init',
  })
  await expect(readPlanFile(path, 'deploymgmt.state.json')).rejects.toMatchObject({
    message: 'the file is a state, not a saved plan',
    hint: 'A state is named with a flag: --state deploymgmt.state.json; without a saved plan, what is declared is planned against it.',
  })
})

test('a folder in the place of a plan is told its flag', async () => {
  const path = await folder()
  await expect(readPlanFile(path, 'my infra')).rejects.toMatchObject({
    message: 'a folder is not a saved plan',
    hint: "A manifest is named with a flag: -f 'my infra'",
  })
})

test('what is neither a plan nor a manifest is told how a plan is made', async () => {
  const path = join(await folder(), 'plan.json')
  for (const text of ['torn', '{}', '[]', 'null']) {
    await writeFile(path, text)
    await expect(readPlanFile(path)).rejects.toMatchObject({ hint: PlanFileError.remedy })
  }
})

test.skipIf(process.platform === 'win32')(
  'a plan and its mode are those of one file, though its name is gone by then',
  async () => {
    const path = join(await folder(), 'pipe')
    execFileSync('mkfifo', ['-m', '644', path])
    const reading = readPlanFile(path)
    const pipe = await open(path, 'w')
    await pipe.writeFile(savedPlanText(plan))
    await unlink(path)
    await pipe.close()
    expect(await reading).toEqual({ ...asSaved, warning: expect.stringContaining('can be read by others') })
  },
)
