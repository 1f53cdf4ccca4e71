import type { Declaration } from '@deploymgmt/provider/engine'

/**
 * What a report is about: which installation, read with which key, compared with which manifest. Contains no
 * secrets.
 */
export interface About {
  /** The manifest's name. */
  readonly manifest: string
  /** Its files, as messages name them. */
  readonly files: readonly string[]
  /** The number of entries that they declare. */
  readonly declared: number
  /** The service's base URL. */
  readonly baseUrl: string
  /** The calling key. */
  readonly publicKey: string
  /** Ids of the named organizations. */
  readonly organizations: readonly string[]
  /** The named projects, and those that entries are in. */
  readonly projects: readonly { readonly id: string; readonly name?: string }[]
}

/** What a run has read, and with which key. */
interface Reading {
  readonly declaration: Declaration
  readonly sources: readonly { readonly file: string }[]
  readonly baseUrl: string
  readonly publicKey: string
}

export const aboutOf = ({ declaration, sources, baseUrl, publicKey }: Reading): About => {
  const { name, entries, orgIds, organizations, projectNames } = declaration
  const projects = new Set(projectNames.keys())
  for (const { values } of entries)
    if (typeof values['projectId'] === 'string') projects.add(values['projectId'])
  return {
    manifest: name,
    files: sources.map(({ file }) => file),
    declared: entries.length,
    baseUrl,
    publicKey,
    organizations: [...new Set([...organizations.values(), ...orgIds])],
    projects: [...projects].map((id) => {
      const called = projectNames.get(id)
      return called === undefined ? { id } : { id, name: called }
    }),
  }
}

/** The names that the manifest gives to projects, by id. */
export const projectNamesIn = ({ projects }: About): ReadonlyMap<string, string> =>
  new Map(projects.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name]])))

/** The identity of a thing in one line, with a project's name: `project payments 5c81…, id 6b00…`. */
export const identityWords = (
  identity: Readonly<Record<string, string>>,
  names: ReadonlyMap<string, string>,
): string[] =>
  Object.entries(identity).map(([field, value]) => {
    const name = names.get(value)
    return name === undefined ? `${field} ${value}` : `${field.replace(/Id$/, '')} ${name} ${value}`
  })
