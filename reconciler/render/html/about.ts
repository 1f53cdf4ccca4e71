import { capitalized } from '@deploymgmt/provider/core/text'
import type { About } from '../document/about.ts'
import type { ReportedSubject } from '../document/reported.ts'
import { number } from '../../text/number.ts'
import { IGNORED, ignoredFields } from '../wording/ignored.ts'
import type { Fact } from './details.ts'
import { clip } from '@deploymgmt/provider/core/text'
import { html, type Html } from './escape.ts'

const FEW = 3
const ROOM = 200
const TITLE_ROOM = 80

export const TARGETS_ALONE = 'Only the targets were checked.'

/** For a browser's tab. */
export const tabTitle = (verdict: string, about: About): string =>
  `${verdict} · ${clip(about.manifest, TITLE_ROOM)}`

/** The subject: installation, manifest, key, places, and the target and what is ignored if there is any. */
export const aboutFacts = (doc: ReportedSubject): Fact[] => {
  const { about, targeted = [] } = doc
  const { manifest, files, declared, baseUrl, publicKey, organizations, projects } = about
  return [
    ['Installation', short(hostOf(baseUrl))],
    ['Manifest', html`${short(manifest)} <small>${few(files)}</small>`],
    ['Declared', number(declared)],
    ['Key', short(publicKey)],
    [projects.length === 1 ? 'Project' : 'Projects', few(projects.map(({ id, name }) => name ?? id))],
    [organizations.length === 1 ? 'Organization' : 'Organizations', few(organizations)],
    ['Targets', few(targeted)],
    [capitalized(IGNORED), few(ignoredFields(doc))],
  ]
}

const short = (text: string): Html => html`<bdi>${clip(text, ROOM)}</bdi>`

/** The host identifies the installation; the common path does not. */
const hostOf = (baseUrl: string): string => {
  const url = URL.parse(baseUrl)
  return url === null || url.host === '' ? baseUrl : url.host
}

const few = (names: readonly string[]): Html | undefined => {
  if (names.length === 0) return undefined
  const more = names.length - FEW
  const shown = (more > 1 ? names.slice(0, FEW) : names).map(
    (name, index) => html`${index === 0 ? '' : ', '}${short(name)}`,
  )
  return html`${shown}${more > 1 ? ` and ${number(more)} more` : ''}`
}
