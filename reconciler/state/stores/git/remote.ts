import { resolve } from 'node:path'
import { formsOf, standsOut } from '@deploymgmt/provider/api'
import { nearest } from '@deploymgmt/provider/core'
import { StateAddressError, StateReadError } from '../../../errors/index.ts'
import { isWithin } from '../../machine/paths.ts'
import type { System } from '../../machine/system.ts'
import type { GitAddress } from './address.ts'
import { gitEnvironment, runGit, type GitEnvironment } from './process.ts'

/** The name of the remote in our own repositories: other users could see an address on the command line. */
export const REMOTE = 'deploymgmt'

/** How git reaches the remote. */
export interface GitRemote {
  /** For people and for records, without credentials. */
  readonly place: string
  readonly branch: string
  /** Contains the credentials that are configured for the checkout. */
  readonly env: GitEnvironment
  /** Those credentials, in all their forms. */
  readonly secrets: readonly string[]
}

/** Settings that provide access, and that a pipeline writes into its checkout. */
const access = /^(?:http|credential|url|ssh)\.|^core\.(?:sshcommand|askpass|gitproxy)$/u

/** The scopes of settings that the repository of a folder has itself. */
const ofCheckout: ReadonlySet<string> = new Set(['local', 'worktree'])

interface Setting {
  readonly scope: string
  readonly key: string
  readonly value: string
}

/**
 * @param folder of the checkout whose settings count; need not be a checkout
 * @throws StateAddressError if the checkout has no such remote; StateReadError if git is not installed
 */
export const remoteAt = async (
  { remote, branch }: GitAddress & { readonly branch: string },
  folder: string,
  system: System,
): Promise<GitRemote> => {
  const place = `${'name' in remote ? `git:${remote.name}` : `git+${remote.url}`}#${branch}`
  const { settings, untrusted } = await settingsOf(folder, place, system)
  if ('name' in remote && untrusted !== undefined) throw ofAnotherUser(untrusted, place)
  const named =
    'name' in remote
      ? await Promise.all(
          addressesOf(remote.name, settings, place).map(
            async ([key, value]) => [key, await fromTop(value, folder, system)] as const,
          ),
        )
      : [['url', remote.url] as const]
  const own: [string, string][] = settings
    .filter(({ scope, key }) => ofCheckout.has(scope) && access.test(key))
    .map(({ key, value }) => [key, value])
  const told: [string, string][] = [
    ...own,
    ...named.map(([key, value]): [string, string] => [`remote.${REMOTE}.${key}`, value]),
    ['core.hooksPath', '/dev/null'],
    ['gc.auto', '0'],
    // Our own repository is removed when the command ends; what git starts at the other side has its own settings.
    ['core.fsync', 'none'],
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', '60'],
    ...alwaysVerified(settings),
  ]
  const [sshCommand, askPass] = ['core.sshcommand', 'core.askpass'].map((key) => lastOf(settings, key))
  const env = withSettings(gitEnvironment(system.env, { sshCommand, askPass }), told)
  return { place, branch, env, secrets: told.flatMap(secretsIn).filter(standsOut).flatMap(formsOf) }
}

/** Certificates are verified, whatever settings say; one for an address comes before one for all. */
const alwaysVerified = (settings: readonly Setting[]): [string, string][] =>
  [
    'http.sslVerify',
    ...settings.map(({ key }) => key).filter((key) => /^http\..*\.sslverify$/u.test(key)),
  ].map((key) => [key, 'true'])

/** The secrets in a setting: the words of a header, and everything in an address except host and path. */
const secretsIn = ([key, value]: readonly [string, string]): string[] => {
  if (key.endsWith('.extraheader')) return [value, ...value.split(/\s+/u).slice(-1)]
  return [key, value].flatMap((text) => {
    const found = /:\/\/(?:(?<entry>[^@/\s]*)@)?[^?#]*(?:[?#](?<query>.*))?/u.exec(text)?.groups
    const { entry = '', query = '' } = found ?? {}
    return [...entry.split(':'), ...query.split(/[&#]/u).map((each) => each.slice(each.indexOf('=') + 1))]
  })
}

const lastOf = (settings: readonly Setting[], wanted: string): string | undefined =>
  settings.findLast(({ key }) => key === wanted)?.value

interface Settings {
  readonly settings: readonly Setting[]
  /** The checkout that git does not read, because another user owns it. */
  readonly untrusted: string | undefined
}

/** @throws StateReadError if git is not installed */
const settingsOf = async (
  folder: string,
  place: string,
  { env, files }: Pick<System, 'env' | 'files'>,
): Promise<Settings> => {
  const how = { env: gitEnvironment(env), secrets: [] }
  const ask = (...words: readonly string[]) => runGit(['-C', folder, ...words], how)
  const [{ code, stdout, said }, repository] = await Promise.all([
    ask('config', '--list', '-z', '--show-scope'),
    ask('rev-parse', '--absolute-git-dir'),
  ])
  if (code === undefined)
    throw new StateReadError(`cannot read the state: ${said}`, {
      where: place,
      hint: 'Install git 2.31 or later.',
    })
  // For git, any folder with HEAD, objects and refs is a repository, and its settings name programs to run. Anybody can
  // commit such a folder; the settings of a checkout are in .git, which no commit contains.
  const isInCheckout =
    repository.code === 0 &&
    !isWithin(repository.stdout.toString().replace(/\r?\n$/u, ''), await files.realPath(folder))
  const parts = code === 0 ? stdout.toString().split('\0') : []
  const settings = parts.flatMap((scope, index): Setting[] => {
    const [key, ...value] = (parts[index + 1] ?? '').split('\n')
    if (index % 2 === 1 || key === undefined || key === '') return []
    return isInCheckout || !ofCheckout.has(scope) ? [{ scope, key, value: value.join('\n') }] : []
  })
  const untrusted = /dubious ownership in repository at '(?<root>[^']+)'/u.exec(repository.said)?.groups
  return { settings, untrusted: untrusted?.['root'] }
}

/** As in a container. */
const ofAnotherUser = (checkout: string, place: string): StateAddressError =>
  new StateAddressError('git does not read the checkout, because another user owns it', {
    where: place,
    hint: `Run the command as its owner, or trust the checkout: git config --global --add safe.directory '${checkout}'`,
  })

/** A checkout always has settings of its own, at least its format. */
const isCheckout = (settings: readonly Setting[]): boolean => settings.some(({ scope }) => scope === 'local')

const addressesOf = (name: string, settings: readonly Setting[], place: string) => {
  const found = (['url', 'pushurl'] as const).flatMap((which) => {
    const value = lastOf(settings, `remote.${name}.${which}`)
    return value === undefined ? [] : [[which, value] as const]
  })
  if (found.length > 0) return found
  const whole = 'write the full address, such as git+ssh://HOST/PATH'
  if (!isCheckout(settings))
    throw new StateAddressError(`there is no git checkout that could have a remote ${JSON.stringify(name)}`, {
      where: place,
      hint: `Run the command with manifests in a checkout, or ${whole}.`,
    })
  const names = remotesIn(settings)
  const meant = nearest(name, names)
  const known =
    names.length === 0
      ? `It has none: add one with git remote add, or ${whole}.`
      : `It has ${names.join(', ')}.${meant === undefined ? ` Name one of them, or ${whole}.` : ''}`
  throw new StateAddressError(`the checkout has no remote ${JSON.stringify(name)}`, {
    where: place,
    hint: `${meant === undefined ? '' : `Did you mean git:${meant}? `}${known}`,
  })
}

/** The address of a remote; git takes a relative path from the top of its checkout, wherever it is called. */
const fromTop = async (address: string, folder: string, system: System): Promise<string> => {
  if (!/^\.\.?(?:\/|$)/u.test(address)) return address
  const { code, stdout } = await runGit(['-C', folder, 'rev-parse', '--show-toplevel'], {
    env: gitEnvironment(system.env),
    secrets: [],
  })
  return code === 0 ? resolve(stdout.toString().replace(/\n$/u, ''), address) : address
}

/** The names of configured remotes. */
const remotesIn = (settings: readonly Setting[]): string[] => {
  const found = settings.flatMap(
    ({ key }) => /^remote\.(?<name>[\w.-]+)\.url$/u.exec(key)?.groups?.['name'] ?? [],
  )
  return [...new Set(found)].toSorted()
}

/** Passes settings through the environment, where other users cannot see them, and in no file. */
const withSettings = (env: GitEnvironment, told: readonly (readonly [string, string])[]): GitEnvironment => {
  const before = Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0
  const numbered = told.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ])
  return { ...env, ...Object.fromEntries(numbered), GIT_CONFIG_COUNT: String(before + told.length) }
}
