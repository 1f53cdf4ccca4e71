import type { Ran } from '../../support/command.ts'
import { UNSEEN } from '../../support/obeyed.ts'

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
    ...(UNSEEN.test(said) ? [`what is obeyed or unseen: ${JSON.stringify(said)}`] : []),
    ...secrets.filter((secret) => said.includes(secret)).map((secret) => `the secret ${secret}`),
  ]
}
