/**
 * Whether a version can be released: its number, its section of the changelog, and every tag of the commit say the same.
 * @param {{version: string, changelog: string, tags: readonly string[]}} state those of the commit, as `v1.2.3`
 * @returns {string[]} what is wrong, and what to do about it
 */
export function versionProblems({ version, changelog, tags }) {
  const problems = []
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) problems.push(`${version} in package.json is no version (1.2.3).`)
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find(text => text.startsWith(`[${version}]`))
  if (!section) problems.push(`CHANGELOG.md has no section [${version}]. Give the changes of this release one.`)
  else if (section.split('\n').slice(1).join('').trim() === '')
    problems.push(`The section [${version}] of CHANGELOG.md is empty.`)
  const unreleased = sections.find(text => text.startsWith('[Unreleased]'))
  if (unreleased?.split('\n').some(line => line.startsWith('- '))) {
    problems.push(
      `CHANGELOG.md has changes under [Unreleased]. Move them into the section [${version}], and raise the version.`,
    )
  }
  for (const tag of tags.filter(name => name !== `v${version}`)) {
    problems.push(
      `The commit has the tag ${tag}, and the version is ${version}. Delete the tag, or tag another commit.`,
    )
  }
  return problems
}
