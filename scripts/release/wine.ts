import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The first version in which Node.js runs. */
const OLDEST = 10

/** Runs programs for Windows on this machine: by `WINE`, or by `wine64` on PATH. */
export interface Wine {
  /** Writes a script that starts the program with its own arguments, folder and environment. */
  readonly starter: (program: string, script: string) => Promise<void>
  /** Ends what Wine itself has left running. */
  readonly end: () => Promise<void>
}

/**
 * @param folder for what Wine writes: a Windows of its own
 * @throws if Wine is not there, or too old
 */
export const wineIn = async (folder: string): Promise<Wine> => {
  const program = process.env['WINE'] ?? 'wine64'
  const [windows, run] = [join(folder, 'windows'), promisify(execFile)]
  const env = { ...process.env, WINEPREFIX: windows, WINEDEBUG: '-all', XDG_RUNTIME_DIR: folder }
  const { stdout } = await run(program, ['--version'])
  if (Number(/^wine-(\d+)/.exec(stdout)?.[1] ?? 0) < OLDEST)
    throw new Error(`${program} is ${stdout.trim()}; Node.js runs in Wine ${String(OLDEST)} or later.`)
  await run(program, ['wineboot', '-i'], { env })
  return {
    starter: async (started, script) => {
      await mkdir(dirname(script), { recursive: true })
      await writeFile(script, textOf({ program, started, windows, folder }))
      await chmod(script, 0o755)
    },
    end: async () => void (await run(program, ['wineboot', '-k'], { env })),
  }
}

interface Starting {
  readonly program: string
  readonly started: string
  readonly windows: string
  readonly folder: string
}

/** Node.js accepts no pipe of Linux as a standard stream, so that files stand in between. */
const textOf = ({ program, started, windows, folder }: Starting): string => `#!/bin/sh
export PATH=/usr/local/bin:/usr/bin:/bin WINEDEBUG=-all WINEPREFIX=${quoted(windows)} XDG_RUNTIME_DIR=${quoted(folder)}
# Wine has its own folder for temporary files.
unset TMPDIR
streams=$(mktemp -d)
: > "$streams/out" > "$streams/err"
${quoted(program)} ${quoted(started)} "$@" < /dev/null > "$streams/out" 2> "$streams/err" &
program=$!
trap 'kill -9 $program' INT TERM
tail -s 0.05 -c +1 -f --pid=$program "$streams/out" & out=$!
tail -s 0.05 -c +1 -f --pid=$program "$streams/err" >&2 & err=$!
wait $program
code=$?
wait $out $err
rm -r "$streams"
exit $code
`

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
