import { basename, dirname, resolve } from 'node:path'
import { NAME_LENGTH, USUAL_ID_FORM, valueInBrackets } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { DEFAULT_MANIFEST, type Head } from '../../config/index.ts'
import { NotSupportedError, OutputError, UsageError } from '../../errors/index.ts'
import { exists } from '../../disk/files.ts'
import { STDIN, type Io } from '../../io.ts'
import { canBeSeen, visible } from '../../text/display.ts'
import { writeTextFile } from '../output/output.ts'
import { initState } from '../../state/index.ts'
import { TEMPLATES } from './templates.ts'
import { initTypescript } from './typescript.ts'
import { makeFolder } from '../service/local.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { shownState, resolveState } from '../resolve/state.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { baseUrlFrom } from '../service/base-url.ts'

/** Most people keep one installation per folder, and name the folder after it. */
const nameFor = (cwd: string): string => {
  const name = basename(cwd)
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return name === '' ? 'my-installation' : name
}

/**
 * A name that the manifest can have, so that what is written is valid.
 * @throws UsageError
 */
const nameGiven = (name: string): string => {
  if (!canBeSeen(name)) throw new UsageError('--name: the name has no character that can be seen')
  if (Array.from(name).length > NAME_LENGTH)
    throw new UsageError(`--name: the name has more than ${NAME_LENGTH} characters`)
  return name
}

type InitOptions = CommonOptions & { readonly template?: string; readonly name?: string }

/** Writes a commented starter manifest and, if the service is known, an empty state. */
export const init = async (io: Io, options: InitOptions): Promise<number> => {
  if (options.template === 'typescript') {
    if (options.name !== undefined)
      throw new UsageError('--name is for a manifest: a program names its stack itself', {
        hint: 'Omit --name, and change the name in main.ts.',
      })
    return initTypescript(io)
  }
  const file = fileToWrite(options)
  const path = resolve(io.cwd, file)
  if (await exists(path))
    throw new OutputError(`${file} already exists and was not changed`, {
      where: path,
      hint: 'Edit it, or name another file with -f.',
    })
  const name = options.name === undefined ? nameFor(io.cwd) : nameGiven(options.name)
  const flags = sameFlagsOf(options)
  const aboutState = await initStateOf({ name, path, ownPath: path, state: undefined }, io, options)
  // Written last: if an existing state is refused, no manifest is left behind unannounced.
  await writeTextFile(path, starter(name), 'wx')
  const lines = [
    `${file} was written, named ${visible(name)}${options.name === undefined ? ' after this folder; --name gives another' : ''}: declare what you have in it.`,
    ...aboutState,
    `Next: name your projects in ${file}, and let deploymgmt adopt${flags} declare what exists, or declare it yourself. Then check it: deploymgmt validate${flags}, and look at what an apply would do: deploymgmt plan${flags}`,
  ]
  await tell(io, lines.join('\n'))
  return 0
}

/** The name of the manifest, as the user typed it. @throws NotSupportedError, UsageError */
const fileToWrite = ({ template, file: named }: InitOptions): string => {
  const [byDefault, other] = TEMPLATES
  if (template !== undefined && template !== byDefault)
    throw new NotSupportedError(`there is no template "${template}"`, {
      hint: `The templates are ${byDefault}, which is the default, and ${other}.`,
    })
  const [file = DEFAULT_MANIFEST, ...others] = named
  if (others.length > 0)
    throw new UsageError(`init writes one manifest, and ${named.join(' and ')} are named`, {
      hint: 'Name the one that is to be written with -f.',
    })
  if (file === STDIN)
    throw new UsageError('init writes a manifest, and -f - stands for one that is read', {
      hint: 'Name the file that is to be written, such as -f deploymgmt.yaml.',
    })
  if (/\.json$/i.test(file))
    throw new NotSupportedError(`init writes YAML, for its comments, but ${file} would be JSON`, {
      hint: 'Name a file that ends with .yaml, such as -f deploymgmt.yaml.',
    })
  return file
}

/** Writes an empty state if the service is known; otherwise says how to do so later. */
const initStateOf = async (head: Head, io: Io, options: CommonOptions): Promise<readonly string[]> => {
  const baseUrl = await baseUrlFrom(io, options).catch(() => undefined)
  if (baseUrl === undefined)
    return [
      `Set DEPLOYMGMT_BASE_URL, DEPLOYMGMT_PUBLIC_KEY and DEPLOYMGMT_PRIVATE_KEY, then: deploymgmt state init${sameFlagsOf(options)}`,
    ]
  const { statePath, ...at } = await resolveState(io, options, head)
  if (options.local === true) await makeFolder(dirname(statePath))
  const { name } = head
  const { place, notices } = await initState(
    { ...at, statePath, expect: { name, baseUrl }, command: 'init' },
    systemOf(io),
  )
  return [
    ...notices,
    `An empty state of that name was written to ${shownState(io, place)}: for another name, edit both.`,
  ]
}

const starter = (name: string): string =>
  [
    '# What this installation should look like. deploymgmt plan compares it with what is there.',
    'version: 1',
    `name: ${valueInBrackets(name)}                # recorded in the state: to rename it later, change it there too`,
    '',
    `# No endpoint shows the names of projects, so they are given here. Ids are ${USUAL_ID_FORM}.`,
    '# projects:',
    '#   payments: { id: 5c8100bcf2a30b12ff88258f, orgId: 5980cfdf0b6d97029d82f86e }',
    '# defaults:',
    '#   orgId: 5980cfdf0b6d97029d82f86e',
    '#   projectId: ${projects.payments.id}',
    ...kinds.flatMap(({ summary, docs }) => [
      '',
      `# ${summary}`,
      ...docs.example.split('\n').map((line) => `# ${line}`),
    ]),
    '',
  ].join('\n')
