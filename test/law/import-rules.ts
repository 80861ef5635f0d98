import type { IForbiddenRuleType } from 'dependency-cruiser'

/** A rule of the design, and the smallest tree that breaks it. */
export interface Law {
  rule: IForbiddenRuleType & { name: string; comment: string }
  offence: Record<string, string>
}

/** A package, resolved to its folder or, where it is not installed, by its name. */
const npm = (names: string): string => `(^(${names})$|node_modules/(${names})/)`

/** Folders of the service that only the composition and their own layer may reach into. */
const INNER = '^server/(agent|docker|git|llm|mcp|store|tools)/'

const USES_TOOL_SERVER_LIBRARY = [
  '^server/mcp/connection/(connection|failures|http-transport|probe|sandbox-transport)\\.ts$',
  '^server/mcp/(endpoint|tasks/task-server)\\.ts$',
]

export const LAWS: Law[] = [
  {
    rule: {
      name: 'api-knows-zod-only',
      comment: 'server/api is the contract: clients take it over as it is',
      severity: 'error',
      from: { path: '^server/api/' },
      to: { pathNot: ['^server/api/', npm('zod')] },
    },
    offence: { 'server/api/a.ts': "import '../ids.ts'", 'server/ids.ts': '' },
  },
  {
    rule: {
      name: 'domain-knows-the-contract-only',
      comment: 'types and pure rules that several rooms speak stand below all of them',
      severity: 'error',
      from: { path: '^server/domain/' },
      to: { path: '^(server|electron|renderer)/', pathNot: '^server/(api|domain)/' },
    },
    offence: { 'server/domain/a.ts': "import '../store/b.ts'", 'server/store/b.ts': '' },
  },
  {
    rule: {
      name: 'client-knows-the-contract-only',
      comment: 'other programs take the client over as it is; only its part for Node.js looks for the running app',
      severity: 'error',
      from: { path: '^server/client/' },
      to: {
        path: '^(server|electron|renderer|build|test)/',
        pathNot: ['^server/(api|client)/', '^server/(data-dir|discovery-file)\\.ts$'],
      },
    },
    offence: { 'server/client/a.ts': "import '../errors.ts'", 'server/errors.ts': '' },
  },
  {
    rule: {
      name: 'client-runs-in-a-browser',
      comment: 'all of it but its part for Node.js',
      severity: 'error',
      from: { path: '^server/client/', pathNot: '^server/client/node/' },
      to: {
        path: [npm('ws'), '^server/client/node/', '^server/(data-dir|discovery-file)\\.ts$'],
      },
    },
    offence: { 'server/client/a.ts': "import './node/b.ts'", 'server/client/node/b.ts': '' },
  },
  {
    rule: {
      name: 'client-has-no-node',
      comment: 'all of it but its part for Node.js',
      severity: 'error',
      from: { path: '^server/client/', pathNot: '^server/client/node/' },
      to: { dependencyTypes: ['core'] },
    },
    offence: { 'server/client/a.ts': "import { join } from 'node:path'\nconsole.log(join)" },
  },
  {
    rule: {
      name: 'service-does-not-call-itself',
      comment:
        'the client is for programs outside of the service, and for tools that act with the key of such a program',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/(client|cli|mcp/tasks)/' },
      to: { path: '^server/client/' },
    },
    offence: { 'server/http/a.ts': "import '../client/b.ts'", 'server/client/b.ts': '' },
  },
  {
    rule: {
      name: 'command-line-is-a-client',
      comment: 'it reads the key and starts the service; everything else it asks the service for',
      severity: 'error',
      from: { path: '^server/cli/' },
      to: {
        path: '^(server|electron|renderer|build|test)/',
        pathNot: [
          '^server/(api|cli|client|secret|text|mcp/tasks)/',
          '^server/(data-dir|diagnose|discovery-file|domain/errors|headless)\\.ts$',
        ],
      },
    },
    offence: { 'server/cli/a.ts': "import '../store/b.ts'", 'server/store/b.ts': '' },
  },
  {
    rule: {
      name: 'nobody-needs-the-command-line',
      comment: 'it stands at the end of the graph; the desktop app runs it too',
      severity: 'error',
      from: { path: '^(server|renderer)/', pathNot: '^server/cli/' },
      to: { path: '^server/cli/' },
    },
    offence: { 'server/a.ts': "import './cli/b.ts'", 'server/cli/b.ts': '' },
  },
  {
    rule: {
      name: 'renderer-knows-the-contract-only',
      comment: 'the renderer is a client like any other',
      severity: 'error',
      from: { path: '^renderer/' },
      to: {
        path: '^(server|electron|build|test)/',
        pathNot: ['^server/api/', '^server/client/(?!node/)', '^electron/ipc\\.ts$', '^build/icons/'],
      },
    },
    offence: { 'renderer/a.tsx': "import '../server/errors.ts'", 'server/errors.ts': '' },
  },
  {
    rule: {
      name: 'renderer-takes-types-of-the-bridge',
      comment: 'code of the desktop cannot run in a page',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^electron/', dependencyTypesNot: ['type-only'] },
    },
    offence: {
      'renderer/a.ts': "import { CHANNELS } from '../electron/ipc.ts'\nconsole.log(CHANNELS)",
      'electron/ipc.ts': 'export const CHANNELS = {}',
    },
  },
  {
    rule: {
      name: 'renderer-runs-in-a-browser',
      comment: 'no Node, no Electron, nothing native',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: [npm('electron|keytar|dockerode|express|@photostructure/sqlite')] },
    },
    offence: { 'renderer/a.ts': "import { shell } from 'electron'\nconsole.log(shell)" },
  },
  {
    rule: {
      name: 'renderer-has-no-node',
      comment: 'no Node, no Electron, nothing native',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    offence: { 'renderer/a.ts': "import { join } from 'node:path'\nconsole.log(join)" },
  },
  {
    rule: {
      name: 'electron-embeds-the-service',
      comment: 'the desktop starts the service, asks it as every client does, and knows nothing of its inside',
      severity: 'error',
      from: { path: '^electron/' },
      to: {
        path: '^(server|renderer|test)/',
        pathNot: [
          '^server/(composition/(service|closers)|headless|diagnose|config|crash-reports|data-dir|log|domain/errors)\\.ts$',
          '^server/(api|async|cli|client|dbus|secret|outbound)/',
        ],
      },
    },
    offence: { 'electron/a.ts': "import '../server/store/b.ts'", 'server/store/b.ts': '' },
  },
  {
    rule: {
      name: 'service-knows-no-electron',
      comment: 'the same service runs headless',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: ['^(electron|renderer|build|test)/', npm('electron')] },
    },
    offence: { 'server/a.ts': "import { app } from 'electron'\nconsole.log(app)" },
  },
  {
    rule: {
      name: 'http-asks-services',
      comment: 'a route handler parses, asks a service and answers; it decides nothing',
      severity: 'error',
      from: { path: '^server/http/' },
      to: { path: INNER },
    },
    offence: { 'server/http/a.ts': "import '../store/b.ts'", 'server/store/b.ts': '' },
  },
  {
    rule: {
      name: 'nobody-calls-up-into-http',
      comment: 'only the composition root starts the server',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/(http|composition)/'] },
      to: { path: '^server/http/' },
    },
    offence: { 'server/agent/a.ts': "import '../http/b.ts'", 'server/http/b.ts': '' },
  },
  {
    rule: {
      name: 'agent-knows-no-outside',
      comment: 'the loop decides; HTTP, Docker and SQLite are given to it as functions',
      severity: 'error',
      from: { path: '^server/agent/' },
      to: { path: '^server/(http|docker|sandbox|store)/' },
    },
    offence: { 'server/agent/a.ts': "import '../docker/b.ts'", 'server/docker/b.ts': '' },
  },
  {
    rule: {
      name: 'agent-reaches-no-outside',
      comment: 'nor through anything that it imports',
      severity: 'error',
      from: { path: '^server/agent/' },
      to: { path: [npm('express|dockerode|@photostructure/sqlite')], reachable: true },
    },
    offence: {
      'server/agent/a.ts': "import '../event/b.ts'",
      'server/event/b.ts': "import '@photostructure/sqlite'",
    },
  },
  {
    rule: {
      name: 'risk-has-one-door',
      comment: 'the rules about commands are an inside; the rest of the code asks agent/risk.ts for a rating',
      severity: 'error',
      from: { path: '^(server|electron|renderer|test)/', pathNot: '^server/agent/risk(/|\\.ts$)' },
      to: { path: '^server/agent/risk/' },
    },
    offence: { 'server/conversation/a.ts': "import '../agent/risk/b.ts'", 'server/agent/risk/b.ts': '' },
  },
  owner('express', '^server/http/', npm('express')),
  owner('dockerode', '^server/docker/', npm('dockerode')),
  owner('@kubernetes/client-node', '^server/kubernetes/', npm('@kubernetes/client-node')),
  owner('@photostructure/sqlite', '^server/store/', `${npm('@photostructure/sqlite|better-sqlite3')}|^(node:)?sqlite$`),
  owner('commander', '^server/cli/', npm('commander')),
  owner('keytar', '^server/secret/', npm('keytar|@github/keytar')),
  owner('ai', '^server/llm/', npm('ai|@ai-sdk')),
  owner('@modelcontextprotocol', '^server/mcp/', npm('@modelcontextprotocol')),
  {
    rule: {
      name: 'library-of-tool-servers-is-read-when-needed',
      comment:
        'it costs a start 80 ms and 10 MB: what uses it is imported when a tool server, or a client of ours, is there',
      severity: 'error',
      from: { path: '^server/', pathNot: [`^server/mcp/(connection|tasks)/`, ...USES_TOOL_SERVER_LIBRARY] },
      to: {
        path: [npm('@modelcontextprotocol'), ...USES_TOOL_SERVER_LIBRARY],
        pathNot: ['/validators/'],
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    offence: {
      'server/composition/a.ts': "import '../mcp/connection/connection.ts'",
      'server/mcp/connection/connection.ts': '',
    },
  },
  owner('@xterm/headless', '^server/tools/', npm('@xterm/headless')),
  {
    rule: {
      name: 'no-cycles',
      comment: 'what needs each other is one thing, or has a third one missing',
      severity: 'error',
      from: { path: '^(server|electron|renderer)/' },
      to: { circular: true },
    },
    offence: { 'server/a.ts': "import './b.ts'", 'server/b.ts': "import './a.ts'" },
  },
]

/** A library that one folder alone may import, so that it can be replaced there. */
function owner(library: string, folder: string, path: string): Law {
  return {
    rule: {
      name: `one-owner-of-${library}`,
      comment: `only ${folder.slice(1)} knows this library`,
      severity: 'error',
      from: { path: '^(server|electron)/', pathNot: folder },
      to: { path },
    },
    offence: { 'server/elsewhere/a.ts': `import '${library}'` },
  }
}
