/** The changelog section of a version, or the unreleased one, with its heading. */
export const changesOf = (changelog: string, version: string): string => {
  const sections = changelog.split(/^(?=## )/mv).slice(1)
  const section =
    sections.find((each) => each.startsWith(`## [${version}]`)) ??
    sections.find((each) => each.startsWith('## [Unreleased]'))
  const text = section?.replace(/^.*\n/v, '').trim() ?? ''
  if (text === '') throw new Error(`CHANGELOG.md says nothing of ${version}.`)
  return `# deploymgmt ${version}\n\n${text}\n`
}
