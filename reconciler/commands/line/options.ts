import { UsageError } from '../../errors/index.ts'
import { shellWord } from '../../text/display.ts'
import { STDIN, type Io } from '../../io.ts'
import type { ReportFile } from './format-flag.ts'

/** The options that most commands share, as parsed from the command line. */
export interface CommonOptions {
  readonly file: readonly string[]
  readonly var: readonly string[]
  readonly varFile: readonly string[]
  readonly state?: string | undefined
  /** Milliseconds. */
  readonly lockTimeout?: number
  readonly format: string
  readonly output?: string
  /** In addition to stdout, or `output`. */
  readonly files?: readonly ReportFile[]
  readonly target: readonly string[]
  readonly concurrency: number
  readonly local?: boolean
  readonly quiet?: boolean
  readonly trace?: boolean
  readonly color: boolean
  readonly strict?: boolean
  readonly allowHttp?: boolean
  readonly all?: boolean
}

/** Flags with which apply does what it otherwise refuses, and what each allows. */
export const ALLOW_FLAGS = {
  allowDelete: ['--allow-delete', 'allow deletions that follow from an only-list'],
  allowMassRemoval: ['--allow-mass-removal', 'allow removing more than 30 % of a kind'],
  allowMassChange: ['--allow-mass-change', 'allow changing one field of more than 30 % of a kind'],
  allowOwnerRemoval: [
    '--allow-owner-removal',
    'allow taking ORG_OWNER from the calling key or the last owner',
  ],
  allowRoleRemoval: ['--allow-role-removal', 'allow writing roles that would replace roles of other scopes'],
  allowClosedGates: ['--allow-closed-gates', 'allow changing projects whose gates are closed'],
  allowOverwrite: ['--allow-overwrite', 'allow overwriting what changed after the plan was shown'],
} as const

export type AllowOptions = { readonly [K in keyof typeof ALLOW_FLAGS]?: boolean }

export const allowedBy = (options: AllowOptions): ReadonlySet<string> =>
  new Set(
    Object.entries(ALLOW_FLAGS).flatMap(([name, [flag]]) =>
      options[name as keyof AllowOptions] === true ? [flag] : [],
    ),
  )

/**
 * A saved plan determines manifests, variables and targets.
 * @throws UsageError if others are given with it
 */
export const refuseBesidePlan = (
  { file, var: vars, varFile, target }: CommonOptions,
  planFile: string,
): void => {
  const given = [
    ...(file.length > 0 ? ['--file'] : []),
    ...(vars.length > 0 ? ['--var'] : []),
    ...(varFile.length > 0 ? ['--var-file'] : []),
    ...(target.length > 0 ? ['--target'] : []),
  ]
  if (given.length === 0) return
  throw new UsageError(`${given.join(', ')} cannot be combined with a saved plan, which has its own`, {
    // A flag takes one manifest: what follows it without a flag is taken as the saved plan.
    hint:
      file.length > 0
        ? `If ${planFile} is no saved plan but a manifest, name it with a flag, too: -f ${shellWord(planFile)}. ${ANOTHER}`
        : ANOTHER,
  })
}

const ANOTHER = 'To make another plan with them: deploymgmt plan --out FILE'

/** A folder whose name a full stop after it would change: `-f .` and `-f ..` */
const DOTS = /(?:^|[/\\])\.\.?$/

/** The options that decide which declaration, state and service a command means, and whether it may reach them. */
export type SameFlags = Pick<CommonOptions, 'file' | 'var' | 'varFile' | 'state' | 'local' | 'allowHttp'>

/** The flags, each after a space, with which a later command means the same declaration, state and service. */
export const sameFlagsOf = ({ file, var: vars, varFile, ...place }: SameFlags): string =>
  [
    ...file.flatMap((path) => ['-f', path === STDIN ? '-' : shellWord(DOTS.test(path) ? `${path}/` : path)]),
    ...varFile.flatMap((path) => ['--var-file', shellWord(path)]),
    ...vars.flatMap((variable) => ['--var', shellWord(variable)]),
    ...placeFlags(place),
  ]
    .map((word) => ` ${word}`)
    .join('')

const placeFlags = ({
  state,
  local,
  allowHttp,
}: Pick<SameFlags, 'state' | 'local' | 'allowHttp'>): string[] => [
  ...(state === undefined ? [] : ['--state', shellWord(state)]),
  ...(local === true ? ['--local'] : []),
  ...(allowHttp === true ? ['--allow-http'] : []),
]

/** The manifests to read, and their variables. */
export const manifestsOf = (
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
  { file, var: vars, varFile, accepted }: ManifestOptions,
) => ({ files: file, vars, varFiles: varFile, others: accepted === undefined ? [] : [accepted], cwd, env })

export interface ManifestOptions extends Pick<CommonOptions, 'file' | 'var' | 'varFile'> {
  /** The file of accepted drift, which is no manifest of a folder that it is in. */
  readonly accepted?: string | undefined
}
