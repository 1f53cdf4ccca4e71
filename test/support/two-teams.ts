/** Two teams with a manifest and a state each, the second in a folder beside the first. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { ORG, PROJECT, within, type Installation } from './installation.ts'
import { OTHER_PROJECT, beginApplied, only, twoProjects, type Scene } from './scene.ts'

export const STATE = 'deploymgmt.state.json'
export const THERE = `search/${STATE}`
export const TO = ['--to', THERE]
export const window = (name: string, day: string, more = ''): string =>
  `  ${name}: { alertTypeNames: [HOST], startDate: 2035-01-${day}T02:00:00Z, endDate: 2035-01-${day}T04:00:00Z, description: ${name}${more} }\n`
export const BOTH = `, projectIds: [${PROJECT}, ${OTHER_PROJECT}]`
export const windows = (...lines: string[]): string => only('maintenanceWindows', lines.join(''))
export const KEPT = window('kept', '01')
export const GOES = window('goes', '02')
export const [SEVERAL, LATER] = [window('several', '03', BOTH), window('later', '04')]
export const EMPTY = only('maintenanceWindows', '')

export interface Team extends Installation {
  readonly declare: (manifest: string) => Promise<void>
}

/** The other team, which has another manifest in a folder beside, and an empty state. */
export const team = async (here: Installation, manifest = EMPTY, state?: string): Promise<Team> => {
  const there = within(here, join(here.folder, 'search'))
  await mkdir(there.folder)
  const ownState = state === undefined ? '' : `state: ${state}\n`
  const declare = (text: string): Promise<void> =>
    writeFile(
      join(there.folder, 'deploymgmt.yaml'),
      `${text.replace('name: test', 'name: search')}otherStates: [../${STATE}]\n${ownState}`,
    )
  await declare(manifest)
  expect(await there.run('state', 'init')).toMatchObject({ code: 0 })
  const statePath = join(there.folder, STATE)
  return { ...there, declare, state: async () => JSON.parse(await readFile(statePath, 'utf8')) }
}
export const besides = (manifest: string): string => `${manifest}otherStates: [${THERE}]\n`

export const recordsOf = async (where: Pick<Installation, 'state'>): Promise<Record<string, any>> =>
  (await where.state()).resources
export const recorded = async (where: Pick<Installation, 'state'>): Promise<string[]> =>
  Object.keys(await recordsOf(where)).toSorted()

/** Both plans have nothing to do and nothing to warn of, both applies send nothing. */
export const expectSettled = async (here: Scene, ...sides: Installation[]): Promise<void> => {
  for (const each of sides) {
    const { code, document } = await each.json('plan', '--detailed-exitcode')
    expect({ code, warnings: document.warnings }).toEqual({ code: 0, warnings: [] })
    expect(await each.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await each.run('drift')).toMatchObject({ code: 0 })
  }
  const { log } = await here.requests()
  expect(log.filter(({ method }) => method !== 'GET')).toEqual([])
}

export const twoTeams = async (manifest: string, theirs = EMPTY) => {
  const here = await beginApplied(manifest, { fixture: twoProjects() })
  const there = await team(here, theirs)
  await here.forgetRequests()
  return { here, there }
}

/** What the command says, in one line. */
export const transferredBy = async (who: Installation, ...words: string[]): Promise<string> =>
  (await who.run('state', 'transfer', ...words)).stderr.replaceAll(/\s+/g, ' ')

export const withLedger = (text: string): string =>
  text.replace('projects:\n', `projects:\n  ledger: { id: ${OTHER_PROJECT}, orgId: ${ORG} }\n`)
