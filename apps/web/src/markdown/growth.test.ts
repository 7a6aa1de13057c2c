import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from './parser.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'
/** Whatever a rule of the parser begins or ends with. */
const TOKENS = [
  ...['*', '**', '_', '__', '~~', '|', '||', '`', '``', '```', '> ', '# ', '- ', '1. ', '\n', '\n\n', '    '],
  ...['[', ']', '(', ')', '](', ']()', '![', '<', '>', '\\', '!', ':', '&amp;', '@everyone', 'a', ' ', '.'],
  ...[`<@${ID}>`, `<:wave:${ID}>`, 'https://a.example', 'http://[', 'http:', 'mailto:a@b.example', '<a:'],
]
/** Time for 1,500 characters from which on more are tried. Most take 1 ms. */
const SUSPICIOUS_MS = 7
const LENGTHS = { tried: 1500, short: 8000, long: 32_000 }
/** CPU of four times as long a text: 4 is linear, 16 is quadratic. */
const MAX_GROWTH = 9
const MAX_MICROSECONDS = 400_000

test('whatever is repeated in a message, reading it takes linear time', () => {
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

/** By the CPU of this thread: what else runs on the machine does not matter. */
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
