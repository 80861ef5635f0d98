import { expect, test } from 'vitest'
import { autostartEntry, isStarted, names } from '../../electron/background/autostart-entry.ts'

const lineOf = (program: string, key: string) =>
  autostartEntry(program, 'Agents')
    .split('\n')
    .find(line => line.startsWith(`${key}=`))

test('a path of any characters is one word of the command', () => {
  expect(lineOf('/opt/Atelier/atelier', 'Exec')).toBe('Exec="/opt/Atelier/atelier" --hidden')
  expect(lineOf('/home/a b/100%/atelier', 'Exec')).toBe('Exec="/home/a b/100%%/atelier" --hidden')
  // A backslash of the quotes is one of the value too.
  expect(lineOf('/x/$HOME`id`"/atelier', 'Exec')).toBe('Exec="/x/\\\\$HOME\\\\`id\\\\`\\\\"/atelier" --hidden')
  expect(lineOf('/a\\b', 'TryExec')).toBe(String.raw`TryExec=/a\\b`)
})

test('no path adds a line to the entry', () => {
  expect(() => autostartEntry('/x\nExec=/bin/sh', 'Agents')).toThrow('line break')
})

test('an entry that a tool has turned off starts nothing', () => {
  const entry = autostartEntry('/opt/Atelier/atelier', 'Agents')
  expect(isStarted(entry)).toBe(true)
  expect(isStarted(`${entry}Hidden=true\n`)).toBe(false)
  expect(isStarted(`${entry}X-GNOME-Autostart-enabled = false\n`)).toBe(false)
  expect(isStarted(`${entry}X-GNOME-Autostart-enabled=true\n`)).toBe(true)
  // What a full disk has left.
  expect(isStarted('')).toBe(false)
})

test('an entry that names the program is right, whatever else is in it', () => {
  const entry = `${autostartEntry('/opt/a b/atelier', 'Agents')}X-GNOME-Autostart-Delay=10\n`
  expect(names(entry, '/opt/a b/atelier')).toBe(true)
  expect(names(entry, '/opt/a')).toBe(false)
})
