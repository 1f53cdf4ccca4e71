import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consumer, pack, root, run, write } from './support/consumer.ts'
import { oldestNode } from './support/oldest-node.ts'

let folder = ''
let archive = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deploymgmt-constructs-'))
  archive = await pack(folder)
})
afterAll(async () => rm(folder, { recursive: true, force: true }))

const bin = (name: string): string => join(root, 'node_modules', '.bin', name)

describe('the packed package', () => {
  test('is what publint expects', async () => {
    const { stdout } = await run(bin('publint'), [archive, '--strict'])
    expect(stdout).toContain('All good!')
  })

  test('has types for ESM and for CommonJS', async () => {
    const { stdout } = await run(bin('attw'), [archive, '--profile', 'node16', '--format', 'json'])
    const { analysis } = JSON.parse(stdout) as {
      analysis: { problems: { kind: string; resolutionKind?: string }[] }
    }
    // Only node10 resolution ignores `exports`, and nothing that can run this package resolves that way.
    expect(analysis.problems.filter(({ resolutionKind }) => resolutionKind !== 'node10')).toEqual([])
  })

  test('asks for no HTTP client and no gRPC', async () => {
    const { stdout } = await run('tar', ['xzOf', archive, 'package/package.json'])
    expect((JSON.parse(stdout) as { dependencies: object }).dependencies).toEqual({
      'rrule-temporal': '2.2.7',
    })
  })
})

test('a checkout has both entries once it is built', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(scripts['build']).toContain('node scripts/constructs/for-cdktn.ts')
  const types = ['@deploymgmt/constructs', '@deploymgmt/constructs/cdktn'].map(
    (entry) => `require('${entry}').MaintenanceWindow.tfResourceType`,
  )
  const { stdout } = await run(process.execPath, ['-p', types.join(' + ')], { cwd: root })
  expect(stdout.trim()).toBe('deploymgmt_maintenance_window'.repeat(2))
})

/** The library, its successor installed in its place, and the successor under its own name. */
const libraries = [
  { project: 'cdktf', links: { cdktf: 'cdktf' }, library: 'cdktf', entry: '@deploymgmt/constructs' },
  {
    project: 'cdktn in place of cdktf',
    links: { cdktf: 'cdktn' },
    library: 'cdktf',
    entry: '@deploymgmt/constructs',
  },
  { project: 'cdktn', links: { cdktn: 'cdktn' }, library: 'cdktn', entry: '@deploymgmt/constructs/cdktn' },
]

const DECLARATION = `
const declared = () => {
  const stack = new TerraformStack(Testing.app(), 'acme')
  new DeploymgmtProvider(stack, 'deploymgmt', { orgId: '5980cfdf0b6d97029d82f86e' })
  const user = { userId: '5d2e1f0a9b8c7d6e5f4a3b2c', rolesComplete: true }
  new ProjectBaseline(stack, 'payments', {
    projectId: '5c8100bcf2a30b12ff88258f',
    baseline: {
      alerts: { hostDown: { select: { eventTypeName: 'HOST_DOWN' }, enabled: true } },
      windows: {
        patching: {
          alertTypeNames: ['HOST'], rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=4', timezone: 'Europe/Madrid',
          duration: 'PT2H', from: '2026-03-15', until: '2026-04-15',
        },
      },
      integrations: { present: ['PAGING'] },
      agents: ['MONITORING'],
    },
    team: { users: { sam: user }, roles: { sam: { project: ['GROUP_OWNER'] } } },
  })
  return JSON.parse(Testing.synth(stack, true))
}
console.log(JSON.stringify(declared()))
`
const NAMES = '{ DeploymgmtProvider, ProjectBaseline }'

describe.each(libraries)('a project with $project', ({ project, links, library, entry }) => {
  const home = (): string => join(folder, project.replaceAll(' ', '-'))
  beforeAll(async () => {
    await mkdir(home())
    await consumer(home(), archive, links)
    await write(home(), {
      'package.json': '{ "type": "module" }',
      'esm.js': `import ${NAMES} from '${entry}'\nimport { Testing, TerraformStack } from '${library}'\n${DECLARATION}`,
      'common.cjs': `const ${NAMES} = require('${entry}')\nconst { Testing, TerraformStack } = require('${library}')\n${DECLARATION}`,
      'types.ts': typesFor(entry, library),
      'types.cts': typesFor(entry, library),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          target: 'es2024',
          lib: ['es2024'],
          module: 'nodenext',
          strict: true,
          noEmit: true,
          skipLibCheck: true,
        },
        files: ['types.ts', 'types.cts'],
      }),
    })
  })

  test('declares the same by import and by require', async () => {
    const [esm, common] = await Promise.all(
      ['esm.js', 'common.cjs'].map(async (file) => {
        const { stdout } = await run(process.execPath, [file], { cwd: home() })
        return JSON.parse(stdout) as Readonly<Record<string, object>>
      }),
    )
    expect(esm).toEqual(common)
    expect(Object.keys(esm?.['resource'] ?? {}).toSorted()).toEqual([
      'deploymgmt_alert_configuration',
      'deploymgmt_integration',
      'deploymgmt_maintenance_window',
      'deploymgmt_user',
    ])
    expect(JSON.stringify(esm)).toContain('"start_date":"2026-03-29T02:00:00Z"')
  })

  test.skipIf(oldestNode === undefined)('declares the same with the oldest Node of its engines', async () => {
    const outputs = [process.execPath, oldestNode ?? ''].map(
      async (node) => (await run(node, ['common.cjs'], { cwd: home() })).stdout,
    )
    const [now, before] = await Promise.all(outputs)
    expect(before).toBe(now)
  })

  test('has its types, and refuses a misspelt role', async () => {
    const { stdout } = await run(process.execPath, [bin('tsc'), '-p', home()]).catch(
      (error: unknown) => error as { stdout: string },
    )
    expect(stdout).toBe('')
  })
})

/** If the types were missing, everything would be `any`, and the expected error would not occur. */
const typesFor = (entry: string, library: string): string => `
import { MaintenanceWindow, TeamRoles } from '${entry}'
import { App, TerraformStack } from '${library}'
const stack = new TerraformStack(new App(), 'acme')
const users = { sam: { userId: '5d2e1f0a9b8c7d6e5f4a3b2c', rolesComplete: true } } as const
new TeamRoles(stack, 'team', { organizations: { acme: '1' }, users, roles: { sam: { acme: ['ORG_OWNER'] } } })
// @ts-expect-error
new TeamRoles(stack, 'team', { organizations: { acme: '1' }, users, roles: { sam: { acme: ['ORG_OWNR'] } } })
const period = { startDate: '2035-01-06T02:00:00Z', endDate: '2035-01-06T04:00:00Z' }
const window = new MaintenanceWindow(stack, 'window', { projectId: '1', alertTypeNames: ['HOST'], ...period })
// @ts-expect-error
new MaintenanceWindow(stack, 'endless', { projectId: '1', alertTypeNames: ['HOST'] })
export const ended = window.ended
// @ts-expect-error
export const nothing = window.nothing
`
