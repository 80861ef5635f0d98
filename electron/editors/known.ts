import { posix, win32 } from 'node:path'

/** An editor that Atelier knows, and where its program lies. */
export interface KnownEditor {
  id: string
  name: string
  /** VS Code and what was made of it opens files of a container. */
  family: 'vscode' | 'plain'
  /** Programs in the folders of PATH. */
  commands: readonly string[]
  /**
   * Absolute places, by platform; `~` is the home folder, `%LOCAL%` and `%PROGRAMS%` are those of Windows. `*` stands for any part
   * of the name of one folder, as some have their version in it.
   */
  places: Partial<Record<NodeJS.Platform, readonly string[]>>
}

const macApp = (app: string, command: string) => `/Applications/${app}.app/Contents/Resources/app/bin/${command}`
const macProgram = (app: string, program: string) => `/Applications/${app}.app/Contents/MacOS/${program}`

function vscode(id: string, name: string, app: string, folder: string): KnownEditor {
  return {
    id,
    name,
    family: 'vscode',
    commands: [id],
    places: {
      linux: [`/usr/share/${id}/bin/${id}`, `/opt/${id}/bin/${id}`, `/snap/bin/${id}`],
      darwin: [macApp(app, id)],
      win32: [
        `%LOCAL%\\Programs\\${folder}\\${folder.replace('Microsoft VS ', '')}.exe`,
        `%PROGRAMS%\\${folder}\\${folder.replace('Microsoft VS ', '')}.exe`,
      ],
    },
  }
}

function jetBrains(id: string, name: string, program: string): KnownEditor {
  return {
    id,
    name,
    family: 'plain',
    commands: [program, `${program}64`],
    places: {
      linux: [`~/.local/share/JetBrains/Toolbox/scripts/${program}`, `/snap/bin/${program}`],
      darwin: [`~/Library/Application Support/JetBrains/Toolbox/scripts/${program}`, macProgram(`${name}*`, program)],
      // By its own installer, for one person or for all, and by the Toolbox of today and of before.
      win32: [
        `%LOCAL%\\Programs\\${name}*\\bin\\${program}64.exe`,
        `%PROGRAMS%\\JetBrains\\${name}*\\bin\\${program}64.exe`,
        `%LOCAL%\\JetBrains\\Toolbox\\apps\\*\\ch-*\\*\\bin\\${program}64.exe`,
      ],
    },
  }
}

export const KNOWN_EDITORS: readonly KnownEditor[] = [
  vscode('code', 'VS Code', 'Visual Studio Code', 'Microsoft VS Code'),
  vscode('cursor', 'Cursor', 'Cursor', 'Cursor'),
  vscode('windsurf', 'Windsurf', 'Windsurf', 'Windsurf'),
  {
    id: 'zed',
    name: 'Zed',
    family: 'plain',
    commands: ['zed', 'zeditor'],
    places: {
      linux: ['~/.local/bin/zed'],
      darwin: ['/Applications/Zed.app/Contents/MacOS/cli'],
      win32: ['%LOCAL%\\Programs\\Zed\\bin\\zed.exe'],
    },
  },
  jetBrains('idea', 'IntelliJ IDEA', 'idea'),
  jetBrains('pycharm', 'PyCharm', 'pycharm'),
  jetBrains('webstorm', 'WebStorm', 'webstorm'),
  jetBrains('goland', 'GoLand', 'goland'),
  jetBrains('rider', 'Rider', 'rider'),
  jetBrains('clion', 'CLion', 'clion'),
  jetBrains('phpstorm', 'PhpStorm', 'phpstorm'),
  jetBrains('rubymine', 'RubyMine', 'rubymine'),
  jetBrains('rustrover', 'RustRover', 'rustrover'),
]

interface Computer {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  home: string
}

/**
 * Absolute places of an editor's program in the order in which they are tried. Windows starts scripts through a shell alone, which
 * would read file names: there only programs count. A folder of PATH that is relative would be one of wherever Atelier was started.
 */
export function placesOf(editor: KnownEditor, { platform, env, home }: Computer): string[] {
  const path = platform === 'win32' ? win32 : posix
  const ending = platform === 'win32' ? '.exe' : ''
  const folders = (env.PATH ?? env.Path ?? '').split(path.delimiter).filter(folder => path.isAbsolute(folder))
  const onPath = folders.flatMap(folder => editor.commands.map(command => path.join(folder, `${command}${ending}`)))
  const fixed = (editor.places[platform] ?? []).map(place =>
    place
      .replace(/^~/, home)
      .replace('%LOCAL%', env.LOCALAPPDATA ?? `${home}\\AppData\\Local`)
      .replace('%PROGRAMS%', env.ProgramFiles ?? 'C:\\Program Files'),
  )
  return [...fixed, ...onPath]
}

/** @returns names of what is in a folder; empty for one that is not there */
type ListFolder = (folder: string) => Promise<readonly string[]>

/** A place without `*`, or all that there are for it: the highest version first. */
export async function foundPlaces(place: string, platform: NodeJS.Platform, list: ListFolder): Promise<string[]> {
  const { sep } = platform === 'win32' ? win32 : posix
  const [first = '', ...parts] = place.split(sep)
  let found = [first]
  for (const part of parts) {
    const matches = async (folder: string) => (part.includes('*') ? matching(part, await list(folder + sep)) : [part])
    const next = await Promise.all(found.map(async folder => (await matches(folder)).map(name => folder + sep + name)))
    found = next.flat()
  }
  return found
}

/** Names that begin and end as the pattern does before and after its one `*`. */
function matching(pattern: string, names: readonly string[]): string[] {
  const [start = '', end = ''] = pattern.split('*')
  return names
    .filter(name => name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
}

export interface FilePlace {
  container: string
  path: string
  kind: 'file' | 'directory'
  host_path: string | null
}

/**
 * What an editor's program is given; null when it cannot open the place. A path is absolute, so that none is an option.
 * The address is that of the extension for containers: the hexadecimal digits of a description of the container.
 */
export function argumentsFor({ family }: Pick<KnownEditor, 'family'>, place: FilePlace): string[] | null {
  if (place.host_path !== null) return [place.host_path]
  if (family !== 'vscode') return null
  const container = Buffer.from(JSON.stringify({ containerName: `/${place.container}` })).toString('hex')
  const path = place.path.split('/').map(encodeURIComponent).join('/')
  const option = place.kind === 'directory' ? '--folder-uri' : '--file-uri'
  return [option, `vscode-remote://attached-container+${container}${path}`]
}
