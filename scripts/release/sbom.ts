import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library'
import { bundleCommand } from '../command/bundle.ts'
import { describedIn, packagesOf } from '../command/notices.ts'
import { bundleProvider } from '../provider/bundle.ts'
import { ENTRY } from '../provider/release.ts'
import { DEBIAN_PACKAGES } from './debian.ts'
import { locked } from './node-runtime.ts'
import type { Platform } from './platforms.ts'

const root = join(import.meta.dirname, '..', '..')

/**
 * The components of a release, as CycloneDX: packages of which parts are in the command, its service or the
 * provider, according to the bundler, and what the executables carry.
 */
export const sbomOf = async (version: string, platforms: readonly Platform[]): Promise<string> => {
  const bom = new Models.Bom()
  bom.metadata.component = component(Enums.ComponentType.Application, { name: 'deploymgmt', version })
  const carrying = platforms.flatMap(({ runtime }) => runtime ?? [])
  const parts = [
    ...(await bundled()),
    ...(await Promise.all(carrying.map(nodePart))),
    ...carrying.flatMap(({ libraries }) => (libraries === undefined ? [] : debianParts(libraries))),
  ]
  for (const part of parts) bom.components.add(part)
  const made = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return `${new Serialize.JsonSerializer(made).serialize(bom, { sortLists: true, space: 2 })}\n`
}

interface Part {
  readonly name: string
  readonly version: string
  readonly license?: string | undefined
  readonly purl?: string
}

const component = (type: Enums.ComponentType, { name, version, license, purl }: Part): Models.Component => {
  const made = new Models.Component(type, name, { version, bomRef: purl ?? `${name}@${version}` })
  if (purl !== undefined) made.purl = purl
  if (license !== undefined)
    made.licenses.add(
      SPDX.isSupportedSpdxId(license)
        ? new Models.SpdxLicense(license)
        : new Models.LicenseExpression(license),
    )
  return made
}

const bundled = async (): Promise<Models.Component[]> => {
  await bundleCommand()
  const sources = await readFile(join(root, 'reconciler', 'dist', 'sources.json'), 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-sbom-'))
  const ofProvider = await bundleProvider(ENTRY, join(folder, 'main.cjs'))
  await rm(folder, { recursive: true })
  const ofCommand = (JSON.parse(sources) as { inputs: string[] }).inputs
  return Promise.all(
    packagesOf([...ofCommand, ...ofProvider]).map(async (path) => {
      const { name, version, license } = await describedIn(join(root, path))
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
      return component(Enums.ComponentType.Library, { name, version, license, purl })
    }),
  )
}

const nodePart = async ({ package: name }: { readonly package: string }): Promise<Models.Component> => {
  const { version } = await locked(name)
  return component(Enums.ComponentType.Platform, {
    name,
    version,
    license: 'MIT',
    purl: `pkg:npm/${name}@${version}`,
  })
}

const debianParts = (architecture: string): Models.Component[] =>
  DEBIAN_PACKAGES.map(({ name, version, license }) =>
    component(Enums.ComponentType.Library, {
      name,
      version,
      license,
      purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-12`,
    }),
  )
