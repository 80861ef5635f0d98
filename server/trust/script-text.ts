export const SETUP_SCRIPT = '.openhands/setup.sh'
export const PRE_COMMIT = '.openhands/pre-commit.sh'

/**
 * Shell commands that become the script: by the interpreter that its first line names, or else by bash, where there is one.
 * It need not be executable, so the repository stays as it was cloned.
 */
export function execScript(script: string): string {
  return `IFS= read -r first <${script}
case $first in
  '#!'*) set -f; IFS=$(printf ' \\t\\r'); exec \${first#??} ${script} ;;
esac
if command -v bash >/dev/null 2>&1; then exec bash ${script}; fi
exec sh ${script}`
}

/** The git hook that runs the repository's own one as it was trusted, whose files are kept beside it; after one that was there. */
export const COMMIT_HOOK = `#!/bin/sh
here=$(git rev-parse --git-path hooks)
[ ! -x "$here/pre-commit.local" ] || "$here/pre-commit.local" "$@" || exit $?
top=$(git rev-parse --show-toplevel) || exit 1
here=$(cd "$here" && pwd) || exit 1
cd "$top" || exit 1
for path in "$here"/pre-commit.trusted/*.path; do
  IFS= read -r file <"$path" || exit 1
  if [ -L "$file" ] || [ "$(cat -- "$file"; printf x)" != "$(cat -- "\${path%.path}.text"; printf x)" ]; then
    echo "$file has changed since a person trusted it, so that ${PRE_COMMIT} was not run." >&2
    exit 0
  fi
done
${execScript(`./${PRE_COMMIT}`)}
`
