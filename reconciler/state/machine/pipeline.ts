import type { Surroundings } from './host.ts'

type Environment = Surroundings['env']

/** Whose run this is, in words, and where people look at it. */
interface Pipeline {
  readonly by: string
  readonly run?: string
}

interface System {
  readonly name: string
  /** A variable that is set in each of its runs, and nowhere else. */
  readonly sign: string
  /** The address of the run, as far as the system tells it. */
  readonly address: (env: Environment) => string | undefined
}

const SYSTEMS: readonly System[] = [
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

/** The pipeline whose run this is, by what its system puts into the environment. */
export const pipelineIn = (env: Environment): Pipeline | undefined => {
  const system = SYSTEMS.find(({ sign }) => !['', 'false', '0', undefined].includes(env[sign]))
  if (system === undefined) return undefined
  const run = shownAddress(system.address(env))
  return { by: system.name, ...(run === undefined ? {} : { run }) }
}

/** What may be kept and shown to others of an address: no credential, be it of a user or in a query. */
const shownAddress = (text = ''): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, pathname } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? origin + pathname : undefined
}
