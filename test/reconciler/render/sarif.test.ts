import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert, asyncProperty } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Log } from 'sarif'
import { RULES } from '../../../reconciler/render/wording/findings.ts'
import { rendererOf } from '../../../reconciler/render/formats.ts'
import { driftOf, noisy, resource, style } from './support/documents.ts'
import { driftAs, full } from './support/faces.ts'
import { canRun, MULTITOOL, resultsOf, schemaErrors, WITHOUT_MULTITOOL } from './support/sarif.ts'
import { reportsWith } from './support/specimens.ts'
import { anyText } from '../../support/any-text.ts'
import { OBEYED } from '../../support/obeyed.ts'
import { runs } from '../../support/soak.ts'
import { HOSTILE } from './support/text.ts'

const field = (path: string, after: unknown) => ({ path, before: null, after })
const runOf = (shown: string) => (JSON.parse(shown) as Log).runs[0]
const fingerprints = (shown: string) =>
  resultsOf(shown).map(({ partialFingerprints }) => partialFingerprints?.['addressAndField/v1'])

describe('a drift report as SARIF', () => {
  it('has a result for each finding, by rules that stay the same', async () => {
    const shown = await driftAs('sarif', full)
    expect(
      resultsOf(shown).map(({ ruleId, level, suppressions }) => [ruleId, level, suppressions?.length ?? 0]),
    ).toEqual([
      ['not-found', 'error', 0],
      ['drifted', 'error', 0],
      ['acceptance-ended', 'error', 0],
      ['event-since', 'warning', 0],
      ['pending-late', 'warning', 0],
      ['to-be-settled', 'warning', 0],
      ['unmanaged', 'warning', 0],
      ['drifted', 'error', 1],
      ['unmanaged', 'note', 1],
    ])
    expect(runOf(shown)?.tool.driver.rules?.map(({ id }) => id)).toEqual(RULES)
    for (const { ruleId, ruleIndex } of resultsOf(shown)) expect(RULES[ruleIndex ?? -1]).toBe(ruleId)
  })

  it('knows these rules for good', () => {
    expect(RULES.toSorted()).toEqual([
      'acceptance-ended',
      'drifted',
      'event-since',
      'not-found',
      'pending-late',
      'to-be-settled',
      'unmanaged',
    ])
  })

  it('points to the line of the declaration, and to the manifest where there is none', async () => {
    const places = resultsOf(await driftAs('sarif', full)).map(({ locations }) => {
      const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {}
      return `${artifactLocation?.uri}:${region?.startLine}:${region?.startColumn ?? ''}`
    })
    expect(places.slice(0, 5)).toEqual([
      'deploymgmt.yaml:1:',
      'deploymgmt.yaml:27:3',
      'deploymgmt.yaml:31:3',
      'team/users.yaml:20:3',
      'deploymgmt.yaml:40:3',
    ])
  })

  it.each([
    ['./a b/x.yaml:1:2', 'a%20b/x.yaml'],
    ['../x.yaml:1:2', '../x.yaml'],
    ['/srv/x.yaml:1:2', 'file:///srv/x.yaml'],
    [String.raw`C:\work\x.yaml:1:2`, 'file:///C:/work/x.yaml'],
    ['javascript:alert(1):1:2', 'javascript%3Aalert(1)'],
    ['a\uD800.yaml:1:2', 'a%EF%BF%BD.yaml'],
  ])('makes of %j an address that is one', async (declaredAt, uri) => {
    const [result] = resultsOf(await driftAs('sarif', driftOf([{ ...noisy, declaredAt }])))
    expect(result?.locations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe(uri)
  })

  it('says who, when, and both ways out', async () => {
    const [, drifted] = resultsOf(await driftAs('sarif', full))
    expect(drifted?.message.text).toMatch(
      /^alertConfigurations\.noisy: enabled: false → true; by dana@example\.com from 198\.51\.100\.4, 2026-11-19 17:40:00 UTC, ALERT_CONFIG_ENABLED_AUDIT\nundo: deploymgmt apply/,
    )
  })

  it('tells results apart by address and field alone, the same from run to run', async () => {
    const one = { ...noisy, fields: [field('a', 1), field('b', 1)] }
    const { actor: _, ...other } = {
      ...one,
      fields: [field('b', 2), field('a', 'x')],
      declaredAt: 'b.yaml:9:9',
    }
    const [before, after] = await Promise.all(
      [one, other].map(async (each) => fingerprints(await driftAs('sarif', driftOf([each])))),
    )
    expect(new Set(before).size).toBe(2)
    expect(after?.toReversed()).toEqual(before)
    expect(before?.[0]).toMatch(/^[0-9a-f]{64}$/)
  })

  it('holds 5,000 results at most, and says how many are left out', async () => {
    const many = Array.from({ length: 5003 }, (_, index) => ({
      ...noisy,
      address: `alertConfigurations.p${index}`,
    }))
    const shown = await driftAs('sarif', driftOf(many))
    expect(resultsOf(shown)).toHaveLength(5000)
    expect(runOf(shown)?.invocations?.[0]?.toolExecutionNotifications?.[0]?.message.text).toBe(
      '3 results of 5,003 left out: a log holds 5,000 at most.',
    )
  })

  it('has no link in its messages that others have made', async () => {
    const doc = driftOf([
      resource({ address: 'x.[a](javascript:x)', verdict: 'drifted', reason: '[b](https://b)' }),
    ])
    expect(resultsOf(await driftAs('sarif', doc))[0]?.message.text).not.toContain('](')
  })

  it('says where a long line is cut', async () => {
    const long = resource({ address: 'users.a', verdict: 'drifted', reason: 'x'.repeat(10_000) })
    const shown = resultsOf(await driftAs('sarif', driftOf([long])))[0]?.message.text
    expect(shown).toMatch(/^users\.a: x+…$/m)
    expect(shown?.split('\n')[0]).toHaveLength(4000)
  })

  it('tells of a command that failed as a run without success', async () => {
    const render = await rendererOf('failure', 'sarif')
    const error = { code: 'DM-X', message: 'the service refused', hint: 'Look.' }
    const run = runOf(render({ document: { formatVersion: 1, error } }, style()) ?? '')
    expect(run?.invocations?.[0]?.executionSuccessful).toBe(false)
    expect(run?.invocations?.[0]?.toolExecutionNotifications?.[0]?.message.text).toBe(
      'DM-X: the service refused\nLook.',
    )
    // An empty list would claim that nothing was found.
    expect(run).not.toHaveProperty('results')
  })

  it.skipIf(MULTITOOL === undefined)(
    `is by its published schema whatever the strings are (unless ${WITHOUT_MULTITOOL})`,
    async () => {
      const errors = schemaErrors()
      await assert(
        asyncProperty(anyText({ maxLength: 60 }), async (text) => {
          for (const { document } of reportsWith(text).drift) {
            const shown = await driftAs('sarif', document)
            expect(errors(JSON.parse(shown))).toEqual([])
            expect(shown).not.toMatch(OBEYED)
          }
        }),
        { numRuns: runs(60) },
      )
    },
  )

  it.skipIf(!canRun)(
    `has no error by the validator of its authors (unless ${WITHOUT_MULTITOOL})`,
    async () => {
      const documents = [full, driftOf([]), ...reportsWith(HOSTILE).drift.map(({ document }) => document)]
      const logs = await Promise.all(documents.map(async (document) => driftAs('sarif', document)))
      const broken = (logs[0] ?? '').replace(
        '"endTimeUtc"',
        '"startTimeUtc": "2100-01-01T00:00:00Z", "endTimeUtc"',
      )
      const found = validated([...logs, broken])
      expect(found.filter(({ level }) => level === 'error').map(({ file, rule }) => [file, rule])).toEqual([
        [logs.length, 'SARIF1006'],
      ])
      // It silently skips what it cannot read; for each log that it reads, it reports that an address is missing.
      const seen = found.filter(({ rule }) => rule === 'SARIF2005').map(({ file }) => file)
      expect(seen.toSorted((a, b) => a - b)).toEqual([...logs, broken].map((_, index) => index))
      expect(new Set(found.map(({ rule }) => rule))).toEqual(new Set(['SARIF1006', 'SARIF2005']))
    },
  )
})

interface Found {
  /** The index of the log. */
  readonly file: number
  readonly rule: string
  readonly level: string
}

/** What the validator reports about logs. */
const validated = (logs: readonly string[]): Found[] => {
  const folder = mkdtempSync(join(tmpdir(), 'sarif-'))
  try {
    const tool = executable(folder)
    const files = logs.map((_, index) => join(folder, `${index}.sarif`))
    for (const [index, log] of logs.entries()) writeFileSync(files[index] ?? '', log)
    const report = join(folder, 'report.json')
    runTool(tool, ['validate', ...files, '--output', report, '--log', 'ForceOverwrite'])
    return resultsOf(readFileSync(report, 'utf8')).map(({ ruleId, level, locations }) => {
      const uri = locations?.[0]?.physicalLocation?.artifactLocation?.uri ?? ''
      return { file: Number(/(\d+)\.sarif$/.exec(uri)?.[1]), rule: ruleId ?? '', level: level ?? 'warning' }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** It exits with 1 if it reports anything; its report says what. */
const runTool = (tool: string, args: readonly string[]): void => {
  try {
    execFileSync(tool, args, {
      env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' },
      stdio: 'pipe',
    })
  } catch (error) {
    if ((error as { status?: number }).status !== 1) throw error
  }
}

/** The package has it without execute permission, so this makes a copy next to what it needs. */
const executable = (folder: string): string => {
  const from = MULTITOOL ?? ''
  const home = mkdtempSync(join(folder, 'tool-'))
  for (const name of readdirSync(from).filter((each) => each !== 'Sarif.Multitool'))
    symlinkSync(join(from, name), join(home, name))
  const tool = join(home, 'Sarif.Multitool')
  copyFileSync(join(from, 'Sarif.Multitool'), tool)
  chmodSync(tool, 0o755)
  return tool
}
