/** A folder in which the real Terraform runs, with a mirror that holds the toy provider. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './plugin-host.ts'
import { TOY } from './toy.ts'

/** Why the real Terraform cannot be tried here, or undefined where it can. */
export const noTerraform: string | undefined =
  spawnSync('terraform', ['version'], { env: { ...process.env, CHECKPOINT_DISABLE: '1' } }).status === 0
    ? undefined
    : 'terraform is not on PATH'

const PLATFORMS: Readonly<Record<string, string>> = { win32: 'windows' }
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }

export interface Ran {
  readonly code: number | null
  readonly output: string
}

export class Workspace {
  readonly folder = temporaryFolder()
  readonly #env: NodeJS.ProcessEnv

  constructor(env: Readonly<Record<string, string>> = {}) {
    const mirror = join(this.folder, 'mirror')
    this.#installToy(mirror)
    const settings = join(this.folder, 'settings.tfrc')
    writeFileSync(
      settings,
      `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`,
    )
    this.#env = {
      PATH: process.env['PATH'],
      HOME: this.folder,
      TMPDIR: this.folder,
      CHECKPOINT_DISABLE: '1',
      TF_IN_AUTOMATION: '1',
      TF_CLI_CONFIG_FILE: settings,
      ...env,
    }
  }

  write(configuration: string): void {
    writeFileSync(
      join(this.folder, 'main.tf'),
      `terraform {\n  required_providers {\n    toy = {\n      source = "example/toy"\n    }\n  }\n}\n\n${configuration}`,
    )
  }

  start(...args: readonly string[]): ChildProcess & { readonly output: Promise<string> } {
    const child = spawn('terraform', args, {
      cwd: this.folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = Promise.all([text(child.stdout), text(child.stderr)]).then((both) => both.join(''))
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await output
    })
    return Object.assign(child, { output })
  }

  async run(...args: readonly string[]): Promise<Ran> {
    const child = this.start(...args, '-no-color')
    const [code] = (await once(child, 'exit')) as [number | null]
    return { code, output: await child.output }
  }

  /** The provider in the mirror is a script, so that it runs by the Node.js of the tests. */
  #installToy(mirror: string): void {
    const platform = `${PLATFORMS[process.platform] ?? process.platform}_${ARCHITECTURES[process.arch] ?? process.arch}`
    const folder = join(mirror, 'registry.terraform.io', 'example', 'toy', '1.0.0', platform)
    mkdirSync(folder, { recursive: true })
    const program = join(folder, 'terraform-provider-toy_v1.0.0')
    const command = [process.execPath, TOY].map((part) => `'${part}'`).join(' ')
    writeFileSync(program, `#!/bin/sh\nexec ${command}\n`)
    chmodSync(program, 0o755)
  }
}
