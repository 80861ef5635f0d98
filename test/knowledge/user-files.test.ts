import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSkills } from '../../server/knowledge/load-skills.ts'
import { readSkillFolder, readUserFiles } from '../../server/knowledge/user-files.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'atelier-home-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function write(path: string, text = 'text'): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

function link(path: string, target: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  symlinkSync(target, join(home, path))
}

describe("the user's own skills", () => {
  it('are found in the three folders, in their order', async () => {
    write('.openhands/microagents/c/d.md')
    write('.openhands/skills/b.md')
    write('.agents/skills/tea/SKILL.md')
    write('.agents/skills/tea/references/r.md')
    write('.agents/skills/README.md')
    write('.agents/skills/notes.txt')
    write('AGENTS.md')
    const { skills, problems } = await readUserFiles(home)
    expect(skills.map(({ path }) => path)).toEqual([
      '.agents/skills/tea/SKILL.md',
      '.openhands/skills/b.md',
      '.openhands/microagents/c/d.md',
    ])
    expect(problems).toEqual([])
  })

  it('are nothing where there are none', async () => {
    expect(await readUserFiles(join(home, 'nowhere'))).toEqual({ skills: [], memory: null, problems: [] })
  })

  it('may be linked by the user, but never lead a copied repository to other files of this machine', async () => {
    write('private/id_rsa', 'KEY')
    write('private/notes.md', 'PRIVATE')
    write('dotfiles/coffee/SKILL.md', 'coffee')
    write('dotfiles/own.md', 'own')
    link('.agents/skills/coffee', join(home, 'dotfiles/coffee'))
    link('.agents/skills/own.md', join(home, 'dotfiles/own.md'))
    link('.agents/skills/shadow.md', '/etc/shadow')
    link('.agents/skills/key.md', join(home, 'private/id_rsa'))
    write('.agents/skills/cloned/fine.md', 'fine')
    link('.agents/skills/cloned/stolen.md', join(home, 'private/notes.md'))
    link('.agents/skills/cloned/folder', join(home, 'private'))
    link('.agents/skills/evil/SKILL.md', join(home, 'private/notes.md'))
    const found = await readUserFiles(home)
    expect(found.skills.map(({ text }) => text)).toEqual(['fine', 'coffee', 'own'])
    expect(found.problems).toEqual([
      '~/.agents/skills/key.md is a link to something else than Markdown.',
      '~/.agents/skills/shadow.md is a link to something else than Markdown.',
    ])
    expect(JSON.stringify(found)).not.toMatch(/KEY|PRIVATE|root:/)
  })

  it('bring their other files along, without links', async () => {
    write('.agents/skills/tea/SKILL.md')
    write('.agents/skills/tea/scripts/boil.sh', '#!/bin/sh\n')
    link('.agents/skills/tea/scripts/shadow', '/etc/shadow')
    link('.agents/skills/tea/etc', '/etc')
    const files = await readSkillFolder(join(home, '.agents/skills/tea'))
    expect(files.map(({ path }) => path).toSorted()).toEqual(['SKILL.md', 'scripts/boil.sh'])
  })

  it('are known without a sandbox; rules for files begin where the agent works', async () => {
    write('.openhands/skills/ts.md', '---\npaths: "*.ts"\n---\nNo any.')
    const places = { sandbox: null, workingDir: '/w', userHome: home, model: null }
    const { skills } = await loadSkills(places, new AbortController().signal)
    expect(skills[0]?.activation).toEqual({ kind: 'paths', patterns: ['*.ts'], base: '/w' })
  })
})
