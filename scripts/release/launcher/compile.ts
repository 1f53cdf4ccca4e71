/**
 * Compiles the launcher, and writes compiled.ts. Needs gcc and aarch64-linux-gnu-gcc, as in Debian; the result is
 * committed, so that a release needs no compiler.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FLAGS =
  '-Os -ffreestanding -fno-builtin -fno-stack-protector -fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns ' +
  '-fomit-frame-pointer -fno-pie -no-pie -nostdlib -static -Wall -Wextra -Werror ' +
  '-Wl,--build-id=none,-z,noseparate-code,-z,noexecstack,-s'

export const COMPILERS = { amd64: 'x86_64-linux-gnu-gcc', arm64: 'aarch64-linux-gnu-gcc' } as const

export const compilerVersion = (compiler: string): string =>
  execFileSync(compiler, ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    .split('\n')[0]
    ?.replace(/^\S+ /v, '') ?? ''

export const compiledBy = (compiler: string): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'deploymgmt-launcher-'))
  try {
    const target = join(folder, 'launcher')
    execFileSync(compiler, [...FLAGS.split(' '), '-o', target, join(import.meta.dirname, 'launcher.c')])
    return readFileSync(target)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const lines = (bytes: Buffer): string =>
  (bytes.toString('base64').match(/.{1,100}/gv) ?? []).map((line) => `    ${line}`).join('\n')

if (import.meta.main) {
  const made = Object.entries(COMPILERS).map(
    ([architecture, compiler]) => [architecture, compiledBy(compiler)] as const,
  )
  writeFileSync(
    join(import.meta.dirname, 'compiled.ts'),
    `/** What compile.ts has made of launcher.c. Tests compare it where the same compiler is at hand. */
import type { Architecture } from '../debian.ts'

export const COMPILED_WITH = '${compilerVersion(COMPILERS.amd64)}'

export const launcher = (architecture: Architecture): Buffer => Buffer.from(COMPILED[architecture], 'base64')

const COMPILED: Readonly<Record<Architecture, string>> = {
${made.map(([architecture, bytes]) => `  ${architecture}: \`\n${lines(bytes)}\n  \`,`).join('\n')}
}
`,
  )
}
