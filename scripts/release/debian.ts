/**
 * The loader and the libraries that Node.js is linked with, and that its executables carry: from Debian 12, which is
 * recent enough for Node.js and supported until 2028. Files are identified by checksum, whatever their source.
 */
export type Architecture = 'amd64' | 'arm64'

export interface DebianPackage {
  readonly name: string
  readonly version: string
  /** The source package, which determines its folder in the pool. */
  readonly source: string
  /** The SPDX name. */
  readonly license: string
  readonly files: readonly DebianFile[]
}

export interface DebianFile {
  /** Its name in the folder of the executable. */
  readonly name: string
  /** Its path in the package and on a machine that has it installed, and its checksum. */
  readonly of: Readonly<Record<Architecture, readonly [path: string, sha256: string]>>
}

const [AMD64, ARM64] = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
const library = (name: string, amd64: string, arm64: string, folder = '/lib'): DebianFile => ({
  name,
  of: { amd64: [`${folder}/${AMD64}/${name}`, amd64], arm64: [`${folder}/${ARM64}/${name}`, arm64] },
})
const text = (name: string, path: string, sha256: string): DebianFile => ({
  name: `licenses/${name}`,
  of: { amd64: [path, sha256], arm64: [path, sha256] },
})

const GCC = {
  version: '12.2.0-14+deb12u1',
  source: 'gcc-12',
  license: 'GPL-3.0-or-later WITH GCC-exception-3.1',
}

export const DEBIAN_PACKAGES: readonly DebianPackage[] = [
  {
    name: 'libc6',
    version: '2.36-9+deb12u14',
    source: 'glibc',
    license: 'LGPL-2.1-or-later',
    files: [
      {
        name: 'ld.so',
        of: {
          amd64: [
            `/lib/${AMD64}/ld-linux-x86-64.so.2`,
            '02bcda52c1a5dfc236f94d9e5255b4a0e26347d8a372a5223b650e31f291ce3c',
          ],
          arm64: [
            `/lib/${ARM64}/ld-linux-aarch64.so.1`,
            '17538b8f9889a470c061f69a8fea8124da89627311cd16546c133a89f09056df',
          ],
        },
      },
      library(
        'libc.so.6',
        '6b4a45352fd0c540a9c7c718f35ce8c8e46a4e482f9d3885a910c32d1a0e1421',
        'e4ac8ae1d81e4865e3aadedb962879cf9415903b3f2ba81ec75e9962b86ab8b0',
      ),
      library(
        'libm.so.6',
        '7f2ca87f652f56b094462474b076749e90e689d0ecb9cb63c7679820b271b4e7',
        '3c4cb3be0b974edf05f023f85ab15107fb5afc2687163593d0d4cf8e80c17b39',
      ),
      library(
        'libdl.so.2',
        '95d521b2c39fd0333271b6fdcdddff878ae82001a304313a837b8e728ebe3cb1',
        'e5e9474a683596d59cc9e13246bc83878433e53c3befbabd73e3da9ccb5fe174',
      ),
      library(
        'libpthread.so.0',
        'b93a680da8a05b939b235c1533572e7a2f6d3d8808bf70209997edc64ea5fedc',
        '434dcd27f22fc8bf236c0c00541a1e503d302aa796c333729a2cd15a4cfe4814',
      ),
      text(
        'glibc.txt',
        '/usr/share/doc/libc6/copyright',
        '40c7e1f2118531f038ca22999bd976901254e1bc5cd1b0f0211bdd064c599987',
      ),
    ],
  },
  {
    name: 'libgcc-s1',
    ...GCC,
    files: [
      library(
        'libgcc_s.so.1',
        '2bd1552c47799ef67e701e81d4383061fd76059868e446e63560f0dd0d5ec14e',
        '046856f95f4636f1fc7c3a12bf4f3cd5634c2fc5145c3fdf7395d4f349fa69c7',
      ),
    ],
  },
  {
    name: 'libstdc++6',
    ...GCC,
    files: [
      library(
        'libstdc++.so.6',
        'e7848e32af4932840ba775169041759a2a8dd5a008af360e5c55bce506eebcf4',
        '532f3a12d7b8fef6cc7a064ea106b6c4ab2365674b73e743e4a385d4ffb6c8ab',
        '/usr/lib',
      ),
    ],
  },
  {
    name: 'gcc-12-base',
    ...GCC,
    files: [
      text(
        'gcc.txt',
        '/usr/share/doc/gcc-12-base/copyright',
        'da8191658b3452ce9caf31638ba61dab31a38c619fa39df119812e050f592fd3',
      ),
    ],
  },
  {
    name: 'base-files',
    version: '12.4+deb12u15',
    source: 'base-files',
    license: 'GPL-2.0-or-later',
    files: [
      text(
        'LGPL-2.1.txt',
        '/usr/share/common-licenses/LGPL-2.1',
        'dc626520dcd53a22f727af3ee42c770e56c97a64fe3adb063799d8ab032fe551',
      ),
      text(
        'GPL-3.txt',
        '/usr/share/common-licenses/GPL-3',
        '3972dc9744f6499f0f9b2dbf76696f2ae7ad8af9b23dde66d6af86c9dfb36986',
      ),
    ],
  },
]
