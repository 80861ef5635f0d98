import { describe, expect, it } from 'vitest'
import { toolClassOf } from '../../server/agent-server/event/tool-class.ts'
import { OWN_TOOLS } from '../../server/api/event/own-tools.ts'
import { ToolNames } from '../../server/mcp/tool-names.ts'
import { createTools } from '../../server/tools/registry.ts'

describe('the tools that clients are told of', () => {
  it('are those that an agent has', () => {
    const names = createTools({
      sandbox: () => Promise.reject(new Error('Nothing is carried out.')),
      mask: text => text,
      skills: { list: () => [], read: async () => '' },
      subAgents: { kinds: () => [], run: () => Promise.reject(new Error('Nothing is carried out.')) },
    }).map(({ name }) => name)
    expect(names.toSorted()).toEqual([...OWN_TOOLS].toSorted())
  })

  it.each([
    ['terminal', 'TerminalTool', 'TerminalAction', 'TerminalObservation'],
    ['apply_patch', 'ApplyPatchTool', 'ApplyPatchAction', 'ApplyPatchObservation'],
    ['browser_get_state', 'BrowserGetStateTool', 'BrowserGetStateAction', 'BrowserObservation'],
    ['search', 'MCPToolDefinition', 'MCPToolAction', 'MCPToolObservation'],
  ])('%s is a %s', (name, kind, action_type, observation_type) => {
    expect(toolClassOf(name)).toEqual({ kind, action_type, observation_type })
  })
})

describe('the names of tools of tool servers', () => {
  it('are never those that a client’s tools have, whatever the case of their letters', () => {
    const names = new ToolNames(['show_page', 'client_terminal'])
    expect(names.nameOf('web', 'Show_Page')).toBe('web_Show_Page')
    expect(names.nameOf('client', 'terminal')).toMatch(/^client_terminal_[0-9a-f]{8}$/)
    expect(names.nameOf('web', 'other')).toBe('other')
  })
})
