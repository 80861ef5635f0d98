import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LONG_RUNNING } from '../../build/test/longest-first.mjs'
import { projectFolder } from '../parts/project-folder.ts'

test('each test file that is begun first is there', () => {
  expect(LONG_RUNNING.filter(file => !existsSync(join(projectFolder, file)))).toEqual([])
})
