import { createHash } from 'node:crypto'
import { shellQuote } from '../../text/shell-quote.ts'

/** In blocks of 512 bytes, as find(1) counts: larger files are left out. */
const MAX_BLOCKS = 2 * 10 * 1024

/** Where a conversation's checkpoints are, as a word of a script: outside of every repository. */
function checkpointFolder(conversation: string): string {
  const name = createHash('sha256').update(conversation).digest('hex').slice(0, 16)
  return `"\${HOME:-/tmp}"/.local/share/atelier/checkpoints/${name}`
}

/** Lets git commands that follow work on the checkpoints and the files in `workingDir`, in place of any repository there. */
export function atCheckpoints(conversation: string, workingDir: string): string {
  return `GIT_DIR=${checkpointFolder(conversation)} GIT_WORK_TREE=${shellQuote(workingDir)}; export GIT_DIR GIT_WORK_TREE`
}

/**
 * Defines `take`, which prints the tree of what is in the working directory: the files of the repository there and of those
 * directly in it, new ones included, but for what they ignore and for what is large. A folder of no repository is taken by
 * its `.gitignore`. Git's own object store and index are all it needs, so that only what has changed since costs anything.
 *
 * RULE: bytes are kept as they are. No filter, no conversion of line ends and no hook of a repository has a part in it, as
 * what is restored has to be what was there.
 */
export function takeScript(conversation: string, workingDir: string): string {
  return `command -v git >/dev/null || { echo none; exit 0; }
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
cd -- ${shellQuote(workingDir)} || exit
kept=${checkpointFolder(conversation)}
ours() { git --git-dir="$kept" --work-tree=${shellQuote(workingDir)} -c core.hooksPath=/dev/null -c core.fsmonitor=false "$@"; }
if ! [ -e "$kept/info/attributes" ]; then
  mkdir -p -- "$kept" && git init -q --bare -- "$kept" && git --git-dir="$kept" config core.bare false &&
    git --git-dir="$kept" config core.looseCompression 1 && git --git-dir="$kept" config gc.auto 0 &&
    mkdir -p "$kept/info" && printf '* -text -filter -ident -working-tree-encoding\\n' >"$kept/info/attributes" || exit
fi
rm -f -- "$kept/index.lock"
listed() {
  sed -z 's|^|./|' | xargs -0 -r sh -c 'find "$@" -maxdepth 0 ! -type d ! -size +${MAX_BLOCKS} -print0 2>/dev/null' sh
}
named() {
  for folder in . */; do
    folder=\${folder%/}
    [ -e "$folder/.git" ] || continue
    (
      cd -- "$folder" && git -c core.fsmonitor=false ls-files -z -co --exclude-standard 2>/dev/null | listed |
        if [ "$folder" = . ]; then cat; else
          name=$(printf '%s\\n' "$folder" | sed 's/[&|\\\\]/\\\\&/g; $!s/$/\\\\/')
          sed -z "s|^\\./|$name/|"
        fi
    )
  done
  if ! [ -e .git ]; then ours ls-files -z -co --exclude-standard | listed; fi
}
take() {
  ours ls-files -z --deleted | ours update-index -z --remove --stdin
  ours ls-files -z | xargs -0 -r sh -c 'find "$@" -maxdepth 0 -size +${MAX_BLOCKS} -print0 2>/dev/null' sh |
    ours update-index -z --force-remove --stdin
  named | ours update-index -z --add --replace --stdin && ours write-tree
}
`
}
