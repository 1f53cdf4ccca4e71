import { projectNamesIn, type About } from '../document/about.ts'
import { few } from '../../text/few.ts'
import { number } from '../../text/number.ts'
import { counted } from '../wording/sentences.ts'

/** The installation as people name it: its address without the common path. */
export const installationOf = ({ baseUrl }: Pick<About, 'baseUrl'>): string => {
  if (!URL.canParse(baseUrl)) return baseUrl
  const { host, pathname } = new URL(baseUrl)
  return `${host}${pathname.replace(/\/api\/public\/v1\.0\/?$/, '').replace(/\/$/, '')}`
}

const NAMED_AT_MOST = 3

/** The manifest, installation, key and organizations of a report: a figure each. */
export const whereFigures = (about: About): string[] => [
  `${about.manifest} at ${installationOf(about)}`,
  `key ${about.publicKey}`,
  ...organizationsFigure(about),
]

/** The organizations that are named there. */
export const organizationsAtHead = ({ organizations }: About): readonly string[] =>
  organizations.length > NAMED_AT_MOST ? [] : organizations

const organizationsFigure = ({ organizations }: About): string[] => {
  if (organizations.length === 0) return []
  if (organizations.length > NAMED_AT_MOST) return [counted(organizations.length, 'organization')]
  return [`organization${organizations.length === 1 ? '' : 's'} ${organizations.join(', ')}`]
}

/** The same within a sentence: `at opsmgr.example.com (acme-production, key ciadmin, organization 5980…)`. */
export const whereWords = (about: About): string =>
  `at ${installationOf(about)} (${[about.manifest, ...whereFigures(about).slice(1)].join(', ')})`

/** The projects by name if there are few and all names are known; otherwise their number, out of all that are named. */
export const projectsFigure = (ids: readonly string[], about: About): string[] => {
  const count = ids.length
  const called = projectNamesIn(about)
  const names = ids.flatMap((id) => called.get(id) ?? [])
  if (count === 0) return []
  if (names.length === count && count <= NAMED_AT_MOST)
    return [`project${count === 1 ? '' : 's'} ${names.join(', ')}`]
  const all = about.projects.length
  return [all > count ? `${number(count)} of ${counted(all, 'project')}` : counted(count, 'project')]
}

/** The addresses of the target; nothing if there is none. */
export const targetFigure = (targeted: readonly string[] = []): string[] =>
  targeted.length === 0 ? [] : [`only ${few(targeted)}`]
