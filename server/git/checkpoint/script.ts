import { createHash } from 'node:crypto'
import { KIB } from '../../domain/bounds/bound.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { USE_CARRIED } from './programs.ts'

/** In blocks of 512 bytes, as find(1) counts: larger files are left out. */
const MAX_BLOCKS = 2 * 10 * 1024

const MAX_KIB = BOUNDS.checkpointStore.limit / KIB
/** So much may be added before it is looked at whether the store is too large, which reads all of it. */
const PRUNED_AFTER_KIB = MAX_KIB / 16
/** What a checkpoint takes beside the files: the trees above one of them. */
const TREES_KIB = 16

/** Where a conversation's checkpoints are, as a word of a script: outside of every repository. */
function checkpointFolder(conversation: string): string {
  const name = createHash('sha256').update(conversation).digest('hex').slice(0, 16)
  return `"\${HOME:-/tmp}"/.local/share/atelier/checkpoints/${name}`
}

/** Gives another conversation, in a copy of the sandbox, what was kept. The copy may have been made while git was at work. */
export function handOverScript(from: string, to: string): string {
  const [old, kept] = [checkpointFolder(from), checkpointFolder(to)]
  return `${USE_CARRIED}
if [ -e ${old} ] && ! [ -e ${kept} ]; then mv -- ${old} ${kept} && rm -f -- ${kept}/index.lock; fi`
}

/** What `takeScript` prints in place of a tree, and after one. */
export const LACKING = 'lacking'
export const DUE = 'due'

/** The agent can write settings of the checkpoints too: nothing that they name is started. */
const PLAIN = '-c core.hooksPath=/dev/null -c core.fsmonitor=false'

/** Lets git commands that follow work on the checkpoints and the files in `workingDir`, in place of any repository there. */
export function atCheckpoints(conversation: string, workingDir: string): string {
  return `${USE_CARRIED}
GIT_DIR=${checkpointFolder(conversation)} GIT_WORK_TREE=${shellQuote(workingDir)}; export GIT_DIR GIT_WORK_TREE
git() { command git ${PLAIN} "$@"; }`
}

/** Lets git commands that follow read what checkpoints keep as well, and work on it alone where there is no repository. */
export function besideCheckpoints(conversation: string): string {
  return `${USE_CARRIED}
kept=${checkpointFolder(conversation)}
GIT_ALTERNATE_OBJECT_DIRECTORIES=$kept/objects; export GIT_ALTERNATE_OBJECT_DIRECTORIES
git rev-parse --git-dir >/dev/null 2>&1 || { GIT_DIR=$kept; export GIT_DIR; }`
}

/**
 * Defines `take`, which prints the tree of what is in the working directory: the files of the repository there and of those
 * directly in it, new ones included, but for what they ignore and for what is large. A folder of no repository is taken by
 * its `.gitignore`. Only what differs from the index of the last time is looked at closely, so that few changes cost little.
 *
 * Git lists a file once for each of its sides in a conflict, so that names are made single before those of one list are sought.
 * It also lists what stands behind a link that has taken the place of a folder, which is no file of the working directory.
 *
 * Defines `take_for` too, for the tree $1 that is to be restored next: with what is ignored or large but stands where a file of
 * that tree belongs, as it would be lost otherwise. It prints the tree without that too.
 *
 * What the store begins with is written by hand, as gitrepository-layout(5) has it: `git init` and its settings are five programs.
 *
 * Prints LACKING instead where the programs are not what the script needs, and none were put into the sandbox. That is looked
 * at when the store is made, and known from then on by a file in it.
 *
 * Defines `due` too, which prints DUE when so much was added that the store is to be pruned.
 *
 * RULE: bytes are kept as they are. No filter, no conversion of line ends and no hook of a repository has a part in it, as
 * what is restored has to be what was there.
 */
export function takeScript(conversation: string, workingDir: string): string {
  return `unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
LC_ALL=C
export LC_ALL
${USE_CARRIED}
cd -- ${shellQuote(workingDir)} || exit
kept=${checkpointFolder(conversation)} fit=
ours() { git --git-dir="$kept" --work-tree=${shellQuote(workingDir)} ${PLAIN} "$@"; }
fits() {
  command -v git >/dev/null && git --version >/dev/null 2>&1 || return
  found=$(printf 'x\\0.\\0x\\0' | sed -z 's|$|/|' | sort -z | uniq -zu |
    xargs -0 -r sh -c '"$find_program" "$@" -maxdepth 0 -size -99999 -print0 -fprintf /dev/stderr "%k\\n" 2>/dev/null' sh |
    tr '\\0' '\\n' | head -n 1)
  [ "$found" = ./ ]
} 2>/dev/null
if [ -e "$carried/complete" ]; then
  if ! [ -e "$kept/info/attributes" ]; then fits || { echo "The programs that were put into the sandbox cannot be run there." >&2; exit 1; }; fi
elif [ -e "$kept/info/fit" ] && command -v git >/dev/null; then :
elif fits; then fit=yes
else echo ${LACKING}; exit 0; fi
if ! [ -e "$kept/info/attributes" ]; then
  mkdir -p -- "$kept/objects" "$kept/refs" "$kept/info" && printf 'ref: refs/heads/none\\n' >"$kept/HEAD" &&
    printf '[core]\\nrepositoryformatversion = 0\\nbare = false\\nlooseCompression = 1\\n[gc]\\nauto = 0\\n' >"$kept/config" &&
    printf '* -text -filter -ident -working-tree-encoding\\n' >"$kept/info/attributes" || exit
fi
if [ "$fit" ]; then : >"$kept/info/fit"; fi
if [ -e "$kept/index.lock" ]; then rm -f -- "$kept/index.lock"; fi
files_of() { git -C "$1" -c core.fsmonitor=false ls-files -z -co --exclude-standard 2>/dev/null; }
named() {
  if [ -e .git ]; then files_of .; else ours ls-files -z -co --exclude-standard; fi
  for folder in */; do
    folder=\${folder%/}
    if [ -L "$folder" ] || ! [ -e "$folder/.git" ]; then continue; fi
    name=$(printf '%s\\n' "$folder" | sed 's/[&|\\\\]/\\\\&/g; $!s/$/\\\\/')
    files_of "./$folder" | sed -z "s|^|$name/|"
  done
}
each() { sed -z 's|^|./|' | xargs -0 -r sh -c "$1" sh; }
sort_out() {
  each 'for path; do
    if [ "\${path%/*}" != "$seen" ]; then
      seen=\${path%/*} folder=$seen
      until [ "$folder" = . ] || [ -L "$folder" ]; do folder=\${folder%/*}; done
    fi
    if [ "$folder" = . ] && { [ -L "$path" ] || { [ -f "$path" ] && [ -r "$path" ]; }; }; then printf "%s\\0" "$path" >&3
    else printf "%s\\0" "$path"; fi
  done' <"$kept/changed" >"$kept/gone" 3>"$kept/there"
}
by_size() {
  xargs -0 -r sh -c '"$find_program" "$@" -maxdepth 0 -size +${MAX_BLOCKS} -print0 2>/dev/null >&3
    exec "$find_program" "$@" -maxdepth 0 ! -size +${MAX_BLOCKS} -print0 -fprintf /dev/stderr "%k\\n"' sh \
    <"$kept/there" >"$kept/small" 3>"$kept/large" 2>"$kept/sizes"
  size=0
  while read -r each; do case $each in ''|*[!0-9]*) ;; *) size=$((size + each)) ;; esac; done <"$kept/sizes"
}
grow() {
  grown=0
  if [ -e "$kept/grown" ]; then read -r grown <"$kept/grown"; fi
  case $grown in ''|*[!0-9]*) grown=0 ;; esac
  echo $((grown + $1)) >"$kept/grown"
}
due() {
  if [ -e "$kept/grown" ] && read -r grown <"$kept/grown" && [ "$grown" -gt ${PRUNED_AFTER_KIB} ]; then echo ${DUE}; fi
}
take() {
  { ours diff-files -z --name-only; { named | sort -zu; ours ls-files -z; } | sort -z | uniq -zu; } >"$kept/changed" || return
  if [ -s "$kept/changed" ]; then
    sort_out
    by_size
    if [ "$size" -gt ${MAX_KIB} ]; then echo "The files that changed are too large to be kept: $size KiB." >&2; return 1; fi
    grow $((size + ${TREES_KIB}))
    if [ -s "$kept/gone" ] || [ -s "$kept/large" ]; then
      cat "$kept/gone" "$kept/large" | ours update-index -z --force-remove --stdin 2>/dev/null
    fi
    ours update-index -z --add --remove --replace --stdin <"$kept/small" || return
  fi
  ours write-tree
}
take_for() {
  from=$(take) && ours diff-tree -r -z --name-only --diff-filter=A "$from" "$1" >"$kept/changed" || return
  each 'for path; do
    if [ -d "$path" ] && ! [ -L "$path" ]; then printf "%s\\0" "$path"; fi
    file=
    until [ "$path" = . ]; do
      if [ -L "$path" ] || [ -f "$path" ]; then file=$path; fi
      path=\${path%/*}
    done
    if [ "$file" ]; then printf "%s\\0" "$file" >&3; fi
  done' <"$kept/changed" >"$kept/gone" 3>"$kept/there"
  lost=$({ xargs -0 -r sh -c '"$find_program" "$@" \\( -type f -o -type l \\) -print0' sh <"$kept/gone"; ours ls-files -z | sed -z 's|^|./|;p'; } |
    sort -z | uniq -zu | tr '\\0' '\\n' | head -n 1)
  if [ "$lost" ]; then echo "A file belongs where a folder is now, in which no checkpoint keeps \${lost#./}. Move the folder away first." >&2; return 1; fi
  ours update-index -z --add --replace --stdin <"$kept/there" && ours write-tree && echo "$from"
}
`
}

/**
 * Removes what belongs neither to the trees in "$@" nor to the index. Prints the names of those trees that are there, then what
 * `git count-objects -v` says. The next time is far also when it fails, as it reads all that is kept.
 * Indexes of commands that were given up go as well.
 */
export function pruneScript(conversation: string, workingDir: string): string {
  return `${atCheckpoints(conversation, workingDir)}
cd / && echo 0 >"$GIT_DIR/grown"
rm -f -- "$GIT_DIR"/taken.*
found=$(for tree; do echo "$tree"; done | git cat-file --batch-check='%(objectname) %(objecttype)') || exit
found=$(printf '%s\\n' "$found" | sed -n 's/ tree$//p')
echo "$found"
git prune --expire=now -- $found && git count-objects -v`
}
