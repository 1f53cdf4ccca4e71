import type { Ran } from '../../support/command.ts'

/** Control characters, and those that change the direction of text. */
// oxlint-disable-next-line no-control-regex
export const OBEYED = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/

/** What a command must never print, and exit codes it must never have, whatever its input; empty if all is well. */
export const defectsOf = (
  { code, stdout, stderr }: Ran,
  { secrets = [], errors = /DM-[A-Z-]+/ }: { secrets?: readonly string[]; errors?: RegExp } = {},
): string[] => {
  const said = stdout + stderr
  const told = code === 1 && !errors.test(said) ? [`exit code 1, and no error of its own: ${said}`] : []
  return [
    ...([0, 1, 2, 3].includes(code ?? -1) ? told : [`exit code ${String(code)}`]),
    ...(/DM-INTERNAL[^]{0,1000}|^ +at .+:\d+:\d+\)?$/m.exec(said)?.slice(0, 1) ?? []),
    ...(OBEYED.test(said) ? [`control characters: ${JSON.stringify(said)}`] : []),
    ...secrets.filter((secret) => said.includes(secret)).map((secret) => `the secret ${secret}`),
  ]
}
