import { CI, ORG } from './installation.ts'
import { projectId } from './many-projects.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e']

export interface Lettered {
  readonly alertConfigs: readonly object[]
  readonly integrations?: readonly object[]
}

/** An organization with the projects `a`, `b`, …; the calling key owns it. */
export const letteredFixture = (
  projects: readonly Lettered[],
  { events = [], keys = [] }: { readonly events?: readonly object[]; readonly keys?: readonly object[] } = {},
): object => {
  const owner = [{ roleName: 'ORG_OWNER', orgId: ORG }]
  const key = { id: '5c47503320eef5699e1cce8d', desc: 'CI', ...CI, roles: owner }
  return {
    organizations: [{ id: ORG, name: 'Acme', apiKeys: [key, ...keys], events }],
    projects: projects.map(({ alertConfigs, integrations = [] }, index) => ({
      id: projectId(index),
      orgId: ORG,
      name: NAMES[index],
      alertConfigs,
      integrations,
    })),
  }
}

/** A manifest that names these projects and declares nothing. */
export const letteredManifest = (names: readonly string[]): string => {
  const projects = names.map((name) => `${name}: { id: ${projectId(NAMES.indexOf(name))} }`)
  return `version: 1\nname: test\ndefaults: { orgId: ${ORG} }\nprojects: { ${projects.join(', ')} }\n`
}

/** An alert configuration, by its project and its place in the list. */
export const letteredConfig = (
  project: number,
  index: number,
  eventTypeName: string,
  more: object = {},
): object => ({
  id: `5d1113b25a115342ac0${project}d0f${index}`,
  eventTypeName,
  enabled: true,
  created: '2026-03-02T08:00:00Z',
  notifications: [{ typeName: 'GROUP' }],
  ...more,
})
