import { join } from 'node:path'
import { initState } from '../../../reconciler/state/index.ts'
import { fixtureWith, install, manifestWith, ORG, type Installation } from '../../support/installation.ts'

export const OTHER_PROJECT = '5c8100bcf2a30b12ff882590'

/** A manifest that declares nothing but one section. */
export const only = (section: string, text: string): string =>
  manifestWith({
    apiKeys: '',
    users: '',
    alertConfigurations: '',
    maintenanceWindows: '',
    integrations: '',
    [section]: text,
  })

/** Two projects of one organization. */
export const twoProjects = (): object => {
  const fixture = fixtureWith() as { projects: object[] }
  return { ...fixture, projects: [...fixture.projects, { id: OTHER_PROJECT, orgId: ORG, name: 'ledger' }] }
}

/** An installation with an empty state. */
export const begin = async (options: Parameters<typeof install>[0] = {}): Promise<Installation> => {
  const here = await install(options)
  await emptyState(here)
  return here
}

export const emptyState = ({ env, folder }: Pick<Installation, 'env' | 'folder'>): Promise<void> =>
  initState({
    statePath: join(folder, 'deploymgmt.state.json'),
    expect: { name: 'test', baseUrl: env['DEPLOYMGMT_BASE_URL'] ?? '' },
    command: 'state init',
  })
