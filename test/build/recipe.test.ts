import { expect, test } from 'vitest'
import { readRecipe } from '../../build/sandbox-image/recipe.mjs'

test('the recipe reads base, environment and command from the Dockerfile', () => {
  const recipe = readRecipe()
  expect(recipe.base).toMatch(/^debian:\w+-slim$/)
  expect(recipe.env).toContain('LANG=C.UTF-8')
  expect(recipe.command).toEqual(['/bin/bash'])
  expect(recipe.packages).toContain('ripgrep')
})

test('the reference changes with the architecture and with nothing else', () => {
  expect(readRecipe('x64').reference).toBe(readRecipe('x64').reference)
  expect(readRecipe('x64').reference).not.toBe(readRecipe('arm64').reference)
})
