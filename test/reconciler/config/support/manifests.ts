import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { kinds } from '@deploymgmt/provider/kinds'
import { onTestFinished } from 'vitest'
import {
  loadDeclaration,
  type LoadedDeclaration,
  type LoadOptions,
  type ManifestFinding,
} from '../../../../reconciler/config/index.ts'
import { ManifestError } from '../../../../reconciler/errors/manifest-error.ts'

/** A folder with real files, which is removed when the test ends. */
export const folderOf = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'manifests-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

type Rest = Partial<Omit<LoadOptions, 'cwd'>>

export const loadFiles = async (
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Rest = {},
): Promise<LoadedDeclaration> =>
  loadDeclaration({ files: Object.keys(files), ...options, cwd: await folderOf(files) }, kinds)

/** Loads one manifest, under the default name. */
export const loadText = (text: string | Uint8Array, options: Rest = {}): Promise<LoadedDeclaration> =>
  loadFiles({ 'deploymgmt.yaml': text }, { files: [], ...options })

/** The error with which a manifest is refused. */
export const refusal = async (loading: Promise<unknown>): Promise<ManifestError> => {
  const outcome: unknown = await loading.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof ManifestError) return outcome
  throw new Error('the manifest was not refused as a manifest', { cause: outcome })
}

/** The warning about the short ids that most of these tests use; `ids.test.ts` tests it. */
const OF_IDS = /does not look like an id of this API/

/** `3:5 users.dana.roles: message` for every finding, except those about the form of ids. */
export const lines = (findings: readonly ManifestFinding[]): string[] =>
  allLines(findings).filter((text) => !OF_IDS.test(text))

/** The same, including those about the form of ids. */
export const allLines = (findings: readonly ManifestFinding[]): string[] =>
  findings.map(
    ({ line, column, path, message, suggestion }) =>
      `${line}:${column} ${path}${path === '' ? '' : ': '}${message}${suggestion === undefined ? '' : ` → ${suggestion}`}`,
  )

export const refusedLines = async (text: string | Uint8Array, options: Rest = {}): Promise<string[]> =>
  lines((await refusal(loadText(text, options))).findings)

/** What every manifest needs, in three lines, so that the rest begins at line 4. */
export const HEAD = `version: 1
name: acme
defaults: { orgId: 5980cfdf0b6d97029d82f86e, projectId: 5c8100bcf2a30b12ff88258f }
`
