import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

// node run.mjs BENCHMARK OUTPUT: one process for each benchmark, so that none pays for another's memory.
const [benchmark, output] = process.argv.slice(2)
if (!benchmark || !output) throw new Error('Usage: run.mjs BENCHMARK OUTPUT')
const { default: measure } = await import(pathToFileURL(benchmark).href)
writeFileSync(output, JSON.stringify(await measure()))
process.exit(0)
