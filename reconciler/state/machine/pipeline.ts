import type { System } from './system.ts'

type Environment = System['env']

/** The CI system of this run, in words, and the address at which people look at the run. */
interface Pipeline {
  readonly by: string
  readonly run?: string
}

interface CiSystem {
  readonly name: string
  /** A variable that this system sets in each run, and no other does. */
  readonly sign: string
  /** The address of the run, as far as the system provides it. */
  readonly address: (env: Environment) => string | undefined
}

const SYSTEMS: readonly CiSystem[] = [
  {
    name: 'GitHub Actions',
    sign: 'GITHUB_ACTIONS',
    address: ({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }) =>
      `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`,
  },
  { name: 'GitLab CI', sign: 'GITLAB_CI', address: ({ CI_JOB_URL }) => CI_JOB_URL },
  { name: 'Buildkite', sign: 'BUILDKITE', address: ({ BUILDKITE_BUILD_URL }) => BUILDKITE_BUILD_URL },
  { name: 'Jenkins', sign: 'JENKINS_URL', address: ({ BUILD_URL }) => BUILD_URL },
  { name: 'a pipeline', sign: 'CI', address: () => undefined },
]

/** The CI system of this run, by the variables that it sets. */
export const pipelineIn = (env: Environment): Pipeline | undefined => {
  const ci = SYSTEMS.find(({ sign }) => !['', 'false', '0', undefined].includes(env[sign]))
  if (ci === undefined) return undefined
  const run = shownAddress(ci.address(env))
  return { by: ci.name, ...(run === undefined ? {} : { run }) }
}

/**
 * The part of an address that may be stored and shown to others: without credentials, neither a user nor a query.
 */
const shownAddress = (text = ''): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, pathname } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? origin + pathname : undefined
}
