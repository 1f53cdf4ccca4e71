import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** A real process that runs a file of this folder, and whose output is read line by line. */
export class Child {
  readonly #process: ChildProcess
  readonly #lines: AsyncIterator<string>
  readonly #exit: Promise<unknown>

  constructor(file: string, ...args: string[]) {
    const path = fileURLToPath(new URL(file, import.meta.url))
    const [command, options] = file.endsWith('.sh')
      ? ['sh', []]
      : [process.execPath, ['--conditions=@deploymgmt/source']]
    this.#process = spawn(command, [...options, path, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#exit = once(this.#process, 'exit')
    const { stdout } = this.#process
    if (stdout === null) throw new Error('The child has no stdout.')
    this.#lines = createInterface(stdout)[Symbol.asyncIterator]()
    onTestFinished(() => this.kill())
  }

  /** The next line of its output; undefined at the end. */
  async line(): Promise<string | undefined> {
    const next = await this.#lines.next()
    return next.done === true ? undefined : next.value
  }

  say(line: string): void {
    this.#process.stdin?.write(`${line}\n`)
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#exit
  }
}
