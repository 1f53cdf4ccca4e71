import { assert, property, asyncProperty, constantFrom, oneof, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { code, fenced, markerOf, prose } from '../../../reconciler/render/markdown/markdown.ts'
import { tableSection } from '../../../reconciler/render/markdown/markdown-parts.ts'
import { formatsOf, rendererOf } from '../../../reconciler/render/formats.ts'
import {
  about,
  change,
  driftOf,
  hostDown,
  migration,
  noisy,
  oldChat,
  paging,
  planOf,
  reporting,
  resource,
  style,
} from './support/documents.ts'
import { driftAs, full, planAs } from './support/faces.ts'
import { brokenRows, foreignHtml, links, skeleton, textOutsideCode } from './support/markdown.ts'
import { reportsWith, REPORTS } from './support/specimens.ts'
import { anyText } from '../../support/any-text.ts'
import { OBEYED } from '../../support/obeyed.ts'
import { runs } from '../../support/soak.ts'
import { HOSTILE, text } from './support/text.ts'

const LIMIT = 65_536

/** How a report is built; a list with long items has a line for each of them. */
const built = (report: string): string[] =>
  skeleton(report).map((each) => each.replaceAll(/code(?: <br> code)+/g, 'code'))

/** Everything that Markdown reports make of a text. */
const shownWith = async (given: string): Promise<string[]> => {
  const specimens = reportsWith(given)
  const shown = REPORTS.filter((report) => formatsOf(report).includes('markdown')).map(async (report) => {
    const render = await rendererOf(report, 'markdown')
    return specimens[report].map((specimen) => render(specimen as never, style()) ?? '')
  })
  return (await Promise.all(shown)).flat()
}

const NASTY = [
  '`',
  '``',
  '|',
  '\\|',
  '\n',
  '\n\n',
  '\n# x',
  '\n- x',
  '\n| a | b |\n| - | - |\n',
  '</details>',
  '</summary>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '![x](https://x.example)',
  '@everyone',
  'dana@example.com',
  '#1',
  '!2',
  'GH-3',
  'https://x.example',
  'www.x.example',
  '\u202E',
  '\u200B',
  '-->',
  '<!--',
  '*',
  '**',
  '_',
  '~~',
  '$$',
  '{{ x }}',
  '&lt;',
  '&#60;',
  ':smile:',
  '    x',
  '1. x',
  '> x',
  '---',
  '```',
  '~~~',
  '\t',
]
const nasty = oneof(
  constantFrom(...NASTY),
  string({ unit: constantFrom(...NASTY, 'a', ' '), minLength: 1, maxLength: 6 }),
  anyText({ maxLength: 30 }).filter((given) => given !== ''),
)

describe('text of others in Markdown', () => {
  it('changes nothing of how a report is built', async () => {
    const plain = (await shownWith('word')).map(built)
    await assert(
      asyncProperty(nasty, async (given) => {
        const shown = await shownWith(given)
        for (const [index, each] of shown.entries()) expect(built(each)).toEqual(plain[index])
      }),
      { numRuns: runs(150) },
    )
  })

  it('is no HTML, no link, no mention and no row of its own', async () => {
    await assert(
      asyncProperty(nasty, async (given) => {
        for (const each of await shownWith(given)) {
          expect(foreignHtml(each)).toEqual([])
          expect(links(each)).toEqual([])
          expect(brokenRows(each)).toEqual([])
          expect(textOutsideCode(each)).not.toMatch(/(?:^|\W)[@#!~]\w|\bGH-\d|https?:\/\/|(?:^|\W)www\.\w/)
          expect(textOutsideCode(each).replaceAll('\n', '')).not.toMatch(OBEYED)
        }
      }),
      { numRuns: runs(150) },
    )
  })

  it.each([
    ['100 kB of one word', 'x'.repeat(100_000)],
    ['100 kB of markup', '</details>|`'.repeat(8000)],
    ['100 kB of what has no width', `a${'\u0301'.repeat(100_000)}`],
    ['100 kB of lines', 'x\n'.repeat(50_000)],
  ])('stands %s', async (_, given) => {
    for (const each of await shownWith(given)) {
      expect(each.length).toBeLessThan(LIMIT)
      expect(foreignHtml(each)).toEqual([])
      expect(brokenRows(each)).toEqual([])
    }
  })

  it('is shown', async () => {
    for (const each of await shownWith(HOSTILE)) expect(each).toContain('evil')
    expect(prose('a <b> & @c')).toBe('a &lt;b&#62; &amp; &#64;&#8203;c')
    expect(prose('GH-1 of gh-x')).toBe('GH&#8203;-1 of gh-x')
    expect(code('a|b')).toBe('<code>a&#124;b</code>')
    expect(code('roles[0]')).toBe('`roles[0]`')
  })

  it('does not end a block that it stands in', () => {
    assert(
      property(nasty, (given) => {
        const shown = skeleton(`${fenced('diff', given.split('\n'))}\n\nend`)
        expect(shown.map((each) => each.split(' ')[0])).toEqual([
          'fence',
          'paragraph_open',
          'inline',
          'paragraph_close',
        ])
      }),
    )
  })
})

describe('the marker of a comment', () => {
  it('is that of the manifest, as a pipeline writes it', () => {
    expect(markerOf('drift', 'acme-production')).toBe('<!-- deploymgmt:drift:acme-production -->')
  })

  it('is one comment on one line, whatever the manifest is called, and another for each name', () => {
    assert(
      property(nasty, nasty, (one, other) => {
        expect(markerOf('plan', one)).toMatch(/^<!-- deploymgmt:plan:(?!.*--.* -->)[\w%.!~*'()-]+ -->$/)
        expect(markerOf('plan', one) === markerOf('plan', other)).toBe(
          one.toWellFormed() === other.toWellFormed(),
        )
      }),
    )
  })

  it('is short where the name is long', () => {
    expect(markerOf('plan', 'x'.repeat(100_000)).length).toBeLessThan(300)
  })
})

describe('a drift report as Markdown', () => {
  it('begins with the verdict, then its marker, where and who', async () => {
    expect(await driftAs('markdown', full)).toMatch(
      /^### Drift: 3 things are not as last applied, 1 may not be, 1 declared thing is late, 1 request is to be settled by apply, 1 thing is unmanaged\n\n<!-- deploymgmt:drift:acme-production -->\n\nchecked 2026-11-20 06:00 UTC · no events read · manifest `acme-production` from `deploymgmt\.yaml` · service `https:\/\/opsmgr\.example\.com\/api\/public\/v1\.0` · key `ciadmin`.*\n\n\| Who \|/,
    )
  })

  it('shows what is to be pasted by itself, as it is', async () => {
    const entry = 'noisy-1: { projectId: payments, alertConfigId: 5c8a, enabled: true }'
    const keep = { text: `declare it by itself: add ${entry} to alertConfigurations`, entry }
    const resources = full.resources.map((each) => ({ ...each, keep }))
    expect(await driftAs('markdown', { ...full, resources })).toContain(
      `Keep: declare it by itself: add this to alertConfigurations\n\n\`\`\`yaml\n${entry}\n\`\`\`\n`,
    )
  })

  it('says what happened to each, who did it, and both ways out', async () => {
    const shown = await driftAs('markdown', full)
    expect(shown).toContain('| by `dana@example.com` from `198.51.100.4` | `alertConfigurations.noisy` |')
    expect(shown).toContain('| **1 drifted**<br>`alertConfigurations.noisy` | enabled `false` → `true` |')
    expect(shown).toContain(
      text`
Undo:

'''sh
deploymgmt apply --target alertConfigurations.noisy
'''

Keep: set enabled: true at deploymgmt.yaml:27

'''diff
--- ./deploymgmt.yaml`.replaceAll("'''", '```'),
    )
    expect(shown).toContain('it was accepted until 2026-11-15, which has passed: until the migration is over')
    expect(shown).toContain('turns off HOST until 2027-11-20; nobody declares it')
    expect(shown).toContain('<details><summary>2 accepted or known</summary>')
    expect(shown).toContain('accepted until 2026-12-31: the disk is replaced in December')
    expect(shown).toMatch(/1 in sync · exit code 2$/)
  })

  it('does not call live what is only declared', async () => {
    const fields = [{ path: 'accessList', before: ['192.0.2.0/24'], after: ['203.0.113.7/32'] }]
    const late = resource({ address: 'apiKeys.reporting', verdict: 'pending', isLate: true, fields })
    const shown = await driftAs('markdown', driftOf([late]))
    expect(shown).toContain('accessList `192.0.2.0/24` → `203.0.113.7/32` (declared) |')
    expect(shown).toContain('| Field | Recorded | Declared |')
    expect(shown).not.toContain('| Live |')
    expect(await driftAs('brief', driftOf([late]))).toContain('\nlate apiKeys.reporting: accessList: ')
  })

  it('ends a patch with its last line', async () => {
    expect(await driftAs('markdown', full)).toContain('\n+    enabled: true\n```')
    expect(await driftAs('junit', full)).toContain('\n+    enabled: true</failure>')
  })

  it('groups what is alike, whenever each was done', async () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      ...noisy,
      address: `alertConfigurations.p${index}`,
      actor:
        noisy.actor === undefined
          ? noisy.actor
          : { ...noisy.actor, eventId: `${index}`, at: `2026-11-19T17:4${index}:00Z` },
    }))
    const shown = await driftAs('markdown', driftOf(many as never))
    expect(shown).toContain('<summary><b>9 drifted</b></summary>')
    for (const { address } of many) expect(shown).toContain(`- \`${address}\``)
    expect(shown).toMatch(/\| 2026-11-19 17:48:00 UTC, `ALERT_CONFIG_ENABLED_AUDIT` \|/)
  })

  it('is one line of verdict where all is well', async () => {
    const calm = driftOf([resource({ address: 'x.1', verdict: 'in-sync' })], { exitCode: 0 })
    expect(await driftAs('markdown', calm)).toMatch(/^### No drift: 1 in sync\n/)
  })

  it('says what "likely" means where it says so', async () => {
    const likely = { ...noisy, actor: { ...noisy.actor, confidence: 'medium' } } as typeof noisy
    expect(await driftAs('markdown', driftOf([likely]))).toContain(
      '<sub>likely: several events could explain it',
    )
    expect(await driftAs('markdown', driftOf([noisy]))).not.toContain('likely')
  })

  it.each([100, 1000, 5000])(
    'is cut between items, and says what is missing, with %i things',
    async (count) => {
      const many = Array.from({ length: count }, (_, index) => ({
        ...noisy,
        address: `alertConfigurations.p${index}`,
        fields: [{ path: 'threshold', before: 0, after: index }],
      }))
      const shown = await driftAs('markdown', driftOf(many))
      expect(shown.length).toBeLessThan(LIMIT)
      expect(Buffer.byteLength(shown)).toBeLessThan(LIMIT)
      expect(shown.match(/<details>/g)?.length).toBe(shown.match(/<\/details>/g)?.length)
      expect(brokenRows(shown)).toEqual([])
      const told = shown.match(/<details>/g)?.length ?? 0
      const cut =
        /\*\*Cut here:\*\* a comment has no room for ([\d,]+) drifted.*\. All of it: `deploymgmt drift --all`/.exec(
          shown,
        )
      expect(told + Number((cut?.[1] ?? '0').replaceAll(',', ''))).toBe(count)
      expect(shown).toContain(`**${count.toLocaleString('en-US')} drifted**`)
      expect(cut === null).toBe(count === 100)
    },
  )
})

it('a drift as Markdown says which field each person has changed', async () => {
  const { actor, ...plain } = noisy
  const at = (path: string, username: string) => ({
    path,
    before: 1,
    after: 2,
    actor: { ...actor, username },
  })
  const fields = [at('enabled', 'dana@example.com'), at('threshold', 'sam@example.com')]
  const shown = await driftAs('markdown', driftOf([{ ...plain, fields } as typeof noisy]))
  const rows = shown.split('\n').filter((each) => each.startsWith('| by '))
  expect(rows).toHaveLength(2)
  expect(rows[0]).toContain('alertConfigurations.noisy.enabled')
  expect(rows[1]).toContain('alertConfigurations.noisy.threshold')
})

describe('a plan as Markdown', () => {
  const all = [migration, hostDown, oldChat, paging, reporting]

  it('begins with the verdict, then its marker, where, who and what', async () => {
    const shown = await planAs('markdown', planOf(all, { warnings: ['a clock is wrong'] }))
    expect(shown).toMatch(
      /^### Plan: 1 to create, 1 to change, 1 to delete, 1 blocked\n\n<!-- deploymgmt:plan:acme-production -->\n\nmanifest `acme-production`/,
    )
    const order = ['| Who |', '- warning: a clock is wrong', '| What apply does |', '<details>'].map((each) =>
      shown.indexOf(each),
    )
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order[0]).toBeGreaterThan(0)
    expect(shown).toContain('By hand: Project payments → Integrations → PAGING, then plan again.')
    expect(shown).toContain('changed outside by key "oncall" (192.0.2.8) on 2026-11-18 09:12:00 UTC')
    expect(shown).toContain('`DELETE /groups/5c8100bcf2a30b12ff88258f/integrations/CHAT_A`')
  })

  it('says "several" in its table of many only where several things are to be said, and has what is blocked', async () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      ...hostDown,
      address: `alertConfigurations.a${index}`,
      fields: [{ path: 'threshold', before: 0, after: index }],
    }))
    const freed = change({ address: 'users.sam', action: 'release', kind: 'user' })
    const shown = await planAs('markdown', planOf([...many, migration, freed, paging]))
    const table = shown.split('\n').filter((each) => each.startsWith('| **'))
    expect(table).toHaveLength(4)
    // In the order of the headline.
    expect(table[0]).toMatch(/\*\*1 .* to create\*\* \| alertTypeNames `HOST, REPLICA_SET`/)
    expect(table[1]).toMatch(/^\| \*\*30 alertConfigurations to change\*\* \| several \|/)
    expect(table[2]).toMatch(/^\| \*\*1 user to leave unmanaged\*\* \| {1,2}\| `users.sam` \|$/)
    expect(table[3]).toMatch(
      /^\| \*\*1 integration blocked\*\* \| declared present, not found; this API has no call to create it.* \| `integrations.paging` \|$/,
    )
  })

  it('counts all projects of an effect, those without room together', async () => {
    const projects = Array.from({ length: 12 }, (_, index) => ({ id: `${index}`, name: `p${index}` }))
    const many = projects.flatMap(({ id }) => [
      { ...hostDown, address: `alertConfigurations.a${id}`, after: { projectId: id } },
      { ...hostDown, address: `alertConfigurations.b${id}`, after: { projectId: id } },
    ])
    const shown = await planAs('markdown', planOf(many, { about: { ...about, projects } }))
    expect(shown).toContain('p8 2, p9 2, 4 in 2 more<br>')
    expect(shown).toContain('· projects p0 `0`, p1 `1`, p2 `2` and 9 more')
  })

  it('has what a new window silences, and when, in its table, before the place that stands beside the address', async () => {
    const place = { path: 'projectId', before: null, after: '5c8100bcf2a30b12ff88258f' }
    const fields = [place, ...migration.fields]
    const [line = ''] = (
      await planAs('markdown', planOf([{ ...migration, kind: 'maintenance_window', fields }]))
    )
      .split('\n')
      .filter((each) => each.startsWith('| **1 maintenance window'))
    expect(line).toMatch(/alertTypeNames.*startDate.*endDate.*and 1 more/)
  })

  it('has the roles of a new person in its table, before what only names them', async () => {
    const fields = [
      ...['username', 'emailAddress', 'firstName', 'lastName'].map((path) => ({
        path,
        before: null,
        after: 'x',
      })),
      { path: 'roles', before: null, after: [{ roleName: 'GROUP_OWNER' }] },
    ]
    const dana = planOf([change({ address: 'users.dana', kind: 'user', action: 'create', fields })])
    expect(await planAs('markdown', dana)).toContain('**1 user to create** | roles `GROUP_OWNER`<br>username')
    expect(await planAs('html', dana)).toContain('<code>roles</code> <i class="more">and 4 more</i>')
  })

  it('counts one thing that has no room as one', async () => {
    const long = { ...migration, notes: Array.from({ length: 100 }, () => 'y'.repeat(900)) }
    const shown = await planAs('markdown', planOf([long]))
    expect(shown).toMatch(/a comment has no room for 1 maintenanceWindow to create\. All/)
  })

  it('is short where there is nothing to do', async () => {
    expect(await planAs('markdown', planOf([]))).toMatch(/^### Plan: nothing to do\n\n<!-- .* -->\n\n[^\n]*$/)
  })

  it('says what a removal needs before anybody approves it', async () => {
    const needs = [{ flag: '--allow-delete', because: 'an only-list removes it' }]
    const shown = await planAs('markdown', planOf([{ ...oldChat, needs }], { needs }))
    expect(shown.match(/needs `--allow-delete`: an only-list removes it/g)).toHaveLength(2)
  })

  it('shows instants by the clock that they are declared by, too', async () => {
    const zones = { startDate: 'Europe/Madrid' }
    expect(await planAs('markdown', planOf([{ ...migration, zones }]))).toContain(
      '| `startDate` | `(none)` | `2026-12-05 02:00 UTC` (03:00 Europe/Madrid) |',
    )
  })

  it('merges no changes that are known otherwise, or declared by another clock', async () => {
    const others = [
      { ...hostDown, address: 'alertConfigurations.b', zones: { enabled: 'Europe/Madrid' } },
      { ...hostDown, address: 'alertConfigurations.c', evidence: { level: 'recorded', note: 'not read' } },
    ] as const
    const shown = await planAs('markdown', planOf([hostDown, ...others]))
    expect(shown.match(/\*\*1 .* to change\*\*/g)).toHaveLength(3)
    expect(shown.match(/not read/g)).toHaveLength(1)
  })

  it('says where the values of an entry come from', async () => {
    const from = [
      { is: 'declared', at: 'deploymgmt.yaml:3:5' },
      { is: 'variable', name: 'var.day' },
      { is: 'entry', name: 'maintenanceWindows.w.id', beside: true },
      { is: 'field-default', name: 'integrations.i.ensure', beside: true },
    ] as const
    const explained = { address: 'maintenanceWindows.migration', values: [{ field: 'startDate', from }] }
    const shown = await planAs('markdown', planOf([migration], { explained }))
    expect(shown).toContain(
      'Where the values of `maintenanceWindows.migration` come from:\n\n| Field | Comes from |\n| --- | --- |\n| `startDate` | `deploymgmt.yaml:3:5` ← `var.day, not known yet`, `maintenanceWindows.w.id, which the service returns`, `integrations.i.ensure, the default of the field` |',
    )
    expect(brokenRows(shown)).toEqual([])
  })

  it('says which addresses alone were looked at', async () => {
    const targeted = ['alertConfigurations.*', 'users.a']
    const shown = await planAs('markdown', planOf([], { inSync: false, targeted }))
    expect(shown).toMatch(/^### Plan: nothing to do among the targets\n/)
    expect(shown).toContain('only `alertConfigurations.*`, `users.a`')
    const drift = await driftAs('markdown', driftOf([], { exitCode: 0, targeted }))
    expect(drift).toMatch(/^### Nothing among the targets: /)
  })

  it('shows which elements of a long list come and go', async () => {
    const before = Array.from({ length: 100 }, (_, index) => `TYPE_${index}`)
    const fields = [{ path: 'alertTypeNames', before, after: [...before.slice(1), 'NEW'] }]
    const shown = await planAs('markdown', planOf([change({ ...hostDown, fields })]))
    expect(shown).toContain('| `alertTypeNames` | `99 as before, and TYPE_0` | `99 as before, and NEW` |')
  })

  it('shows that a long list has another order', async () => {
    const before = Array.from({ length: 100 }, (_, index) => `TYPE_${index}`)
    const fields = [{ path: 'notifications', before, after: before.toReversed() }]
    const shown = await planAs('markdown', planOf([change({ ...hostDown, fields })]))
    expect(shown).toMatch(/\| `notifications` \| `TYPE_0, [^|]*…` \| `TYPE_99, [^|]*…` \|/)
  })

  it('counts a single row without room in the singular', () => {
    const { after } = tableSection(['What', 'Who'], ['| a | b |'], String)
    expect([1, 2].map((left) => after(left))).toEqual(['| and 1 more row |  |', '| and 2 more rows |  |'])
  })
})
