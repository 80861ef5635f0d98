import { describe, expect, it } from 'vitest'
import { isPrivate, resolveModel } from '../../server/llm/provider.ts'

const resolve = (model: string, baseUrl: string | null = null) => {
  const target = resolveModel({ model, baseUrl, apiKey: 'key', namedBy: 'person' })
  return [target.provider.id, target.model, target.baseUrl]
}

describe('a model name', () => {
  it.each([
    ['openai/gpt-5', 'openai', 'gpt-5', 'https://api.openai.com/v1'],
    ['anthropic/claude-sonnet-4-6', 'anthropic', 'claude-sonnet-4-6', 'https://api.anthropic.com/v1'],
    ['gemini/gemini-2.5-pro', 'gemini', 'gemini-2.5-pro', 'https://generativelanguage.googleapis.com/v1beta'],
    ['google/gemini-2.5-pro', 'gemini', 'gemini-2.5-pro', 'https://generativelanguage.googleapis.com/v1beta'],
    ['openrouter/anthropic/claude-opus-5', 'openrouter', 'anthropic/claude-opus-5', 'https://openrouter.ai/api/v1'],
    ['ollama/qwen3-coder:30b', 'ollama', 'qwen3-coder:30b', 'http://localhost:11434/v1'],
    ['ollama_chat/qwen3', 'ollama', 'qwen3', 'http://localhost:11434/v1'],
    ['lm_studio/qwen/qwen3', 'lm_studio', 'qwen/qwen3', 'http://localhost:1234/v1'],
    ['claude-opus-5', 'anthropic', 'claude-opus-5', 'https://api.anthropic.com/v1'],
    ['o3', 'openai', 'o3', 'https://api.openai.com/v1'],
    [' OpenAI/gpt-5 ', 'openai', 'gpt-5', 'https://api.openai.com/v1'],
  ])('%s is asked at its provider', (name, ...expected) => {
    expect(resolve(name)).toEqual(expected)
  })

  it('keeps its slashes and its case on a server of one’s own', () => {
    const expected = ['openai_compatible', 'meta-llama/Llama-4', 'http://box:8000/v1']
    expect(resolve('meta-llama/Llama-4', 'http://box:8000/v1')).toEqual(expected)
    expect(resolve('gpt-5', 'http://box:8000/v1')).toEqual(['openai_compatible', 'gpt-5', 'http://box:8000/v1'])
  })

  it.each(['llama-99', 'nobody/llama', 'openai/', '/x', ''])('%j without a base URL is refused', name => {
    expect(() => resolve(name)).toThrow(expect.objectContaining({ code: 'llm_unknown_model' }))
  })
})

describe('a base URL', () => {
  it.each([
    ['openai/x', 'http://localhost:8080', 'http://localhost:8080/v1'],
    ['openai/x', 'http://localhost:8080/', 'http://localhost:8080/v1'],
    ['openai/x', ' https://gate.example/v1/ ', 'https://gate.example/v1'],
    ['openai/x', 'https://gate.example/v1/chat/completions', 'https://gate.example/v1'],
    ['anthropic/x', 'https://gate.example', 'https://gate.example/v1'],
    ['anthropic/x', 'https://gate.example/anthropic/v1/messages', 'https://gate.example/anthropic/v1'],
    ['gemini/x', 'https://gate.example', 'https://gate.example/v1beta'],
    ['ollama/x', 'http://host.docker.internal:11434', 'http://localhost:11434/v1'],
  ])('%s at %s is asked at %s', (name, given, used) => {
    expect(resolve(name, given)[2]).toBe(used)
  })

  it.each(['localhost:8080', 'ftp://box', 'ws://box', 'nonsense', 'http://'])('%s is refused', given => {
    expect(() => resolve('openai/x', given)).toThrow(expect.objectContaining({ code: 'llm_bad_request' }))
  })

  it('with a password is refused without repeating the password', () => {
    expect(() => resolve('openai/x', 'https://me:hunter2@gate.example')).toThrow(/^(?!.*hunter2).*key field/)
  })

  it.each([
    'http://localhost:1',
    'http://127.0.0.2:1',
    'http://[::1]:1',
    'http://[fd00::1]:1',
    'http://10.0.0.1',
    'http://172.20.0.1',
    'http://gpu-box:8000',
    'http://gpu.local',
  ])('%s is one’s own', url => {
    expect(isPrivate(url)).toBe(true)
  })

  it.each(['https://localhost.example', 'https://api.openai.com/v1', 'http://172.40.0.1', 'http://[2001:db8::1]'])(
    '%s is not',
    url => {
      expect(isPrivate(url)).toBe(false)
    },
  )
})

describe('the wire', () => {
  it.each([
    ['openai/gpt-5', null, 'responses'],
    ['openai/gpt-5.1-codex', null, 'responses'],
    ['openai/o3', 'https://api.openai.com/v1', 'responses'],
    ['gpt-6-sol', null, 'responses'],
    ['openai/gpt-5-chat-latest', null, 'openai'],
    ['openai/gpt-4.1', null, 'openai'],
    ['openai/gpt-5', 'http://localhost:4000', 'openai'],
    ['openrouter/openai/gpt-5', null, 'openai'],
    ['anthropic/claude-sonnet-4-6', null, 'anthropic'],
    ['gemini/gemini-2.5-pro', null, 'google'],
  ])('of %s at %s is %s', (model, baseUrl, wire) => {
    expect(resolveModel({ model, baseUrl, apiKey: 'key', namedBy: 'person' }).wire).toBe(wire)
  })
})
