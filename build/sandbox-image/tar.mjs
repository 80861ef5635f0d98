import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/**
 * `tar` is part of every system that Atelier runs on (bsdtar on macOS and Windows). Order is the order given.
 * @param {string} folder
 * @param {readonly string[]} names
 */
export async function tarFolder(folder, names) {
  const child = spawnTar(folder, names, [])
  const [bytes] = await Promise.all([buffer(child.stdout), succeeded(child)])
  return bytes
}

/**
 * A compressed archive whose bytes depend on the files' contents alone (GNU tar).
 * @param {string} folder
 * @param {readonly string[]} names
 * @param {string} file
 */
export async function writeStableTarGz(folder, names, file) {
  const child = spawnTar(folder, names, ['--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=0644'])
  await Promise.all([pipeline(child.stdout, createGzip(), createWriteStream(file)), succeeded(child)])
}

/**
 * @param {string} folder
 * @param {readonly string[]} names
 * @param {readonly string[]} options
 */
function spawnTar(folder, names, options) {
  return spawn('tar', ['-C', folder, ...options, '-cf', '-', ...names], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** @param {import('node:child_process').ChildProcess} child */
function succeeded(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => (code === 0 ? resolve(undefined) : reject(new Error(`tar failed (${code}).`))))
  })
}
