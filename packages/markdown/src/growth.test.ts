import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from './parser.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'
/** Text that rules of the parser begin or end with. */
const TOKENS = [
  ...['*', '**', '_', '__', '~~', '|', '||', '`', '``', '```', '> ', '# ', '- ', '1. ', '\n', '\n\n', '    '],
  ...['[', ']', '(', ')', '](', ']()', '![', '<', '>', '\\', '!', ':', '&amp;', '@everyone', 'a', ' ', '.'],
  ...[`<@${ID}>`, `<:wave:${ID}>`, 'https://a.example', 'http://[', 'http:', 'mailto:a@b.example', '<a:'],
]
/** Time for 1,500 characters above which longer texts are measured. Most take 1 ms. */
const SUSPICIOUS_MS = 7
const LENGTHS = { tried: 1500, short: 8000, long: 32_000 }
/** Growth of CPU time for a text four times as long: 4 is linear, 16 is quadratic. */
const MAX_GROWTH = 9
const MAX_MICROSECONDS = 400_000

test('parsing repeated tokens takes linear time', () => {
  const pumps = TOKENS.flatMap((one) => ['', ...TOKENS].map((other) => one + other))
  assert.deepEqual(
    pumps.filter((pump) => isSuspicious(pump) && isSlow(pump)),
    [],
  )
})

function isSuspicious(pump: string): boolean {
  const text = textOf(pump, LENGTHS.tried)
  return [1, 2, 3].every(() => {
    const began = performance.now()
    parse(text)
    return performance.now() - began > SUSPICIOUS_MS
  })
}

/** Measures the CPU time of this thread, so that other load on the machine does not matter. */
function isSlow(pump: string): boolean {
  const long = cpuOf(textOf(pump, LENGTHS.long))
  return long > MAX_MICROSECONDS && long / cpuOf(textOf(pump, LENGTHS.short)) > MAX_GROWTH
}

function cpuOf(text: string): number {
  const began = process.threadCpuUsage()
  parse(text)
  const { user, system } = process.threadCpuUsage(began)
  return user + system
}

function textOf(pump: string, length: number): string {
  return pump.repeat(Math.ceil(length / pump.length))
}
