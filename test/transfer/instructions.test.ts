import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it as base, describe, expect } from 'vitest'
import { loadSkills } from '../../server/knowledge/load-skills.ts'
import { InstructionsImport } from '../../server/transfer/instructions.ts'

const test = base
  .extend('home', ({}, { onCleanup }) => {
    const home = mkdtempSync(join(tmpdir(), 'atelier-instructions-'))
    onCleanup(() => rmSync(home, { recursive: true }))
    return home
  })
  .extend('write', ({ home }) => (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  })
  .extend('instructions', ({ home }) => new InstructionsImport(home))
  /** What agents of new conversations have of them. */
  .extend('skills', ({ home }) => async () => {
    const places = { sandbox: null, workingDir: '/w', userHome: home, model: null }
    const { skills } = await loadSkills(places, new AbortController().signal)
    return skills.map(({ name, content, activation, source }) => ({ name, content, when: activation.kind, source }))
  })

describe('instructions for other agents', () => {
  test('are none on a new computer, and say where they would be', async ({ instructions }) => {
    expect(await instructions.list()).toEqual([])
    expect(instructions.lookedFor).toEqual(expect.arrayContaining(['~/.claude/CLAUDE.md', '~/.codex/AGENTS.md']))
  })

  test('are read by agents only once they are imported, and always then', async ({ instructions, write, skills }) => {
    write('.claude/CLAUDE.md', 'Answer briefly.')
    const shown = {
      program: 'claude_code',
      name: 'Claude Code',
      path: '~/.claude/CLAUDE.md',
      size_bytes: 15,
      imported_as: '~/.agents/skills/claude-code-instructions.md',
    }
    expect(await instructions.list()).toEqual([{ ...shown, state: 'found' }])
    expect(await skills()).toEqual([])
    expect(await instructions.import('claude_code')).toEqual({ ...shown, state: 'imported' })
    expect(await instructions.list()).toEqual([{ ...shown, state: 'imported' }])
    expect(await skills()).toEqual([
      { name: 'claude-code-instructions', content: 'Answer briefly.', when: 'always', source: 'user' },
    ])
  })

  test('that change are told, and imported again', async ({ instructions, write, skills }) => {
    write('.codex/AGENTS.md', 'Write tests.')
    await instructions.import('codex')
    write('.codex/AGENTS.md', 'Write tests first.')
    expect(await instructions.list()).toMatchObject([{ state: 'changed' }])
    expect(await skills()).toMatchObject([{ content: 'Write tests.' }])
    await instructions.import('codex')
    expect(await instructions.list()).toMatchObject([{ state: 'imported' }])
    expect(await skills()).toMatchObject([{ content: 'Write tests first.' }])
  })

  test('can be removed, also where the file is gone, and the file stays', async ({
    instructions,
    write,
    home,
    skills,
  }) => {
    for (const path of ['.gemini/GEMINI.md', '.config/AGENTS.md']) write(path, 'Be kind.')
    await instructions.import('gemini_cli')
    await instructions.import('agents')
    rmSync(join(home, '.config/AGENTS.md'))
    expect(await instructions.list()).toMatchObject([
      { program: 'gemini_cli', state: 'imported' },
      { program: 'agents', state: 'gone', size_bytes: null },
    ])
    await instructions.remove('gemini_cli')
    await instructions.remove('agents')
    expect(await instructions.list()).toMatchObject([{ program: 'gemini_cli', state: 'found' }])
    expect(await skills()).toEqual([])
    expect(readFileSync(join(home, '.gemini/GEMINI.md'), 'utf8')).toBe('Be kind.')
    await expect(instructions.remove('agents')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('with a head of their own get no triggers by it', async ({ instructions, write, skills }) => {
    write('.codex/AGENTS.md', '---\ntriggers: [deploy]\nname: other\n---\nNever deploy.')
    await instructions.import('codex')
    expect(await skills()).toMatchObject([{ name: 'codex-instructions', when: 'always' }])
  })

  test('are followed through links, and are nothing where they are no file', async ({ instructions, write, home }) => {
    write('dotfiles/claude.md', 'Linked.')
    mkdirSync(join(home, '.claude'))
    symlinkSync(join(home, 'dotfiles/claude.md'), join(home, '.claude/CLAUDE.md'))
    mkdirSync(join(home, '.codex/AGENTS.md'), { recursive: true })
    expect(await instructions.list()).toMatchObject([{ program: 'claude_code', size_bytes: 7 }])
    await expect(instructions.import('codex')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('that are too long, or cannot be written, leave what there is', async ({ instructions, write, home }) => {
    write('.claude/CLAUDE.md', 'x'.repeat(256 * 1024 + 1))
    await expect(instructions.import('claude_code')).rejects.toMatchObject({ code: 'too_large' })
    expect(existsSync(join(home, '.agents'))).toBe(false)
    // It would fit, but for what is written before it.
    write('.claude/CLAUDE.md', 'x'.repeat(256 * 1024))
    await expect(instructions.import('claude_code')).rejects.toMatchObject({ code: 'too_large' })
    write('.codex/AGENTS.md', 'Write tests.')
    write('.agents', 'A file.')
    await expect(instructions.import('codex')).rejects.toMatchObject({ code: 'conflict' })
    expect(await instructions.list()).toMatchObject([{ state: 'found' }, { state: 'found' }])
  })
})
