/** @typedef {import('./words.ts').Words} Words */

const NAME = 'Atelier'
/** Name of the desktop entry, which the metadata refers to. */
export const DESKTOP_FILE = 'atelier.desktop'
export const METAINFO_FILE = 'dev.atelier.app.metainfo.xml'

/**
 * The entry among the programs of a desktop. It names no folders: where nothing else opens them, it would become the file manager. Those that
 * have menus of their own offer it by what follows.
 * @param {Words['entries']} entries
 * @returns {string} of the Desktop Entry Specification 1.4
 */
export function desktopEntry(entries) {
  return lines([
    '[Desktop Entry]',
    'Type=Application',
    `Name=${NAME}`,
    ...translated('Comment', entries, ({ summary }) => summary),
    'Exec=atelier %U',
    'Icon=atelier',
    'Terminal=false',
    'StartupNotify=true',
    'StartupWMClass=atelier',
    'Categories=Development;IDE;',
    'Keywords=agent;AI;sandbox;Docker;OpenHands;',
    'MimeType=x-scheme-handler/atelier;',
    'Actions=new-conversation;',
    '',
    '[Desktop Action new-conversation]',
    ...translated('Name', entries, ({ newConversation }) => newConversation),
    'Exec=atelier atelier://new',
  ])
}

/**
 * An entry in the menu of a folder.
 * @param {Words['entries']} entries
 * @returns {string} of Dolphin and the other programs of KDE: https://develop.kde.org/docs/apps/dolphin/service-menus/
 */
export function serviceMenu(entries) {
  return lines([
    '[Desktop Entry]',
    'Type=Service',
    'MimeType=inode/directory;',
    'Actions=openWithAtelier;',
    '',
    '[Desktop Action openWithAtelier]',
    ...translated('Name', entries, ({ openInAtelier }) => openInAtelier),
    'Icon=atelier',
    'Exec=atelier --folder %f',
  ])
}

/**
 * The same of Nemo, the file manager of Cinnamon.
 * @param {Words['entries']} entries
 */
export function nemoAction(entries) {
  return lines([
    '[Nemo Action]',
    'Active=true',
    ...translated('Name', entries, ({ openInAtelier }) => openInAtelier),
    ...translated('Comment', entries, ({ summary }) => summary),
    'Icon-Name=atelier',
    'Exec=atelier --folder %F',
    'Selection=s',
    'Extensions=dir;',
  ])
}

/**
 * What software centres show.
 * @param {Words['entries']} entries
 * @param {{version: string, date: string}} release its date as YYYY-MM-DD
 * @returns {string} of AppStream
 */
export function metainfo(entries, { version, date }) {
  const summaries = Object.entries(entries).map(([language, { summary }]) =>
    language === 'en'
      ? `  <summary>${summary}</summary>`
      : `  <summary xml:lang="${language.replace('_', '-')}">${summary}</summary>`,
  )
  return lines([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<component type="desktop-application">',
    '  <id>dev.atelier.app</id>',
    `  <name>${NAME}</name>`,
    ...summaries,
    '  <metadata_license>CC0-1.0</metadata_license>',
    '  <project_license>MIT</project_license>',
    '  <developer_name>The Atelier authors</developer_name>',
    '  <description>',
    '    <p>',
    '      Atelier runs software-development agents on your own machine. Each conversation works in a sandbox of its own, keys',
    "      stay in the system's keychain, and other programs use the same service through a documented API on localhost.",
    '    </p>',
    '    <p>',
    '      There is no account and no telemetry. With a local model it needs no network at all.',
    '    </p>',
    '  </description>',
    `  <launchable type="desktop-id">${DESKTOP_FILE}</launchable>`,
    '  <icon type="stock">atelier</icon>',
    '  <categories>',
    '    <category>Development</category>',
    '    <category>IDE</category>',
    '  </categories>',
    '  <provides>',
    '    <binary>atelier</binary>',
    '    <mediatype>x-scheme-handler/atelier</mediatype>',
    '  </provides>',
    '  <content_rating type="oars-1.1" />',
    '  <releases>',
    `    <release version="${version}" date="${date}" />`,
    '  </releases>',
    '</component>',
  ])
}

/**
 * @param {string} key
 * @param {Words['entries']} entries
 * @param {(entry: Words['entries'][string]) => string} textOf
 */
function translated(key, entries, textOf) {
  return Object.entries(entries).map(([language, entry]) =>
    language === 'en' ? `${key}=${textOf(entry)}` : `${key}[${language}]=${textOf(entry)}`,
  )
}

/** @param {string[]} all */
function lines(all) {
  return `${all.join('\n')}\n`
}
