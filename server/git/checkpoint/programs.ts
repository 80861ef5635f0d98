import type { ProgramFile } from '../../domain/sandbox-handle.ts'

/** What the scripts of checkpoints start, and those of a review that compares with one. */
export const PROGRAMS = [
  ...[
    'base64',
    'cat',
    'chmod',
    'cp',
    'dirname',
    'find',
    'git',
    'head',
    'mkdir',
    'mktemp',
    'mv',
    'readlink',
    'realpath',
  ],
  ...['rm', 'sed', 'sort', 'tr', 'uniq', 'wc', 'xargs'],
] as const

/** In a sandbox, and root's, so that nobody else puts a link in its place. The number goes up when the content changes. */
export const PROGRAM_FOLDER = '/var/lib/atelier/programs/1'

/**
 * How programs of another image lie in PROGRAM_FOLDER: each is started by the loader that came with it, so that the sandbox's
 * own C library has no part in it. The last file says that all are there.
 */
export function carriedFiles(read: readonly ProgramFile[]): { path: string; content: Buffer; mode: number }[] {
  const isProgram = (name: string) => PROGRAMS.some(each => each === name)
  const loader = read.find(({ name }) => name.startsWith('ld-'))?.name
  const lib = `${PROGRAM_FOLDER}/lib`
  const starter = (name: string) => `#!/bin/sh
unset LD_PRELOAD
exec ${lib}/${loader} --library-path ${lib} ${PROGRAM_FOLDER}/programs/${name} "$@"
`
  return [
    ...read.map(({ name, content }) => ({
      path: `${isProgram(name) ? 'programs' : 'lib'}/${name}`,
      content,
      mode: 0o755,
    })),
    ...PROGRAMS.map(name => ({ path: `bin/${name}`, content: Buffer.from(starter(name)), mode: 0o755 })),
    { path: 'complete', content: Buffer.alloc(0), mode: 0o644 },
  ]
}

/**
 * Lets what follows use the programs in PROGRAM_FOLDER, where they are. They become functions, as a shell may have programs
 * of these names built in, which lack what is needed. A program that another one starts is found by PATH, but for
 * `$find_program`: it is started by shells that do not have the functions.
 */
export const USE_CARRIED = `carried=${PROGRAM_FOLDER} find_program=find
if [ -e "$carried/complete" ]; then
  PATH=$carried/bin:$PATH find_program=$carried/bin/find
  ${PROGRAMS.map(name => `${name}() { "$carried/bin/${name}" "$@"; }`).join('\n  ')}
fi
export find_program`
