// Measures the matching engine of automod alone: CPU per message, compile time, the longest block of the event loop, memory.
import { setTimeout } from 'node:timers/promises'
import {
  compileMatcher,
  type TextMatcher,
  type TextRule,
} from '../apps/server/src/moderation/screening/matching/matcher.ts'
import { texts, wordsOf } from './automod/texts.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'

/** Goals. MAX_BLOCK_MS limits the median over all compiles, because a single compile may be delayed by garbage collection. */
const MAX_MESSAGE_US = 30
const MAX_LONG_MESSAGE_US = 2000
const MAX_BLOCK_MS = 10

const options = readOptions(
  { rules: 200, words: 1000, messages: 20_000, compiles: 3 },
  { rules: 5, words: 100, messages: 200, compiles: 1 },
)
const { rules: ruleCount, words: wordCount, messages, compiles } = options.numbers
const rules = Array.from({ length: ruleCount }, (_, index): TextRule => {
  return { id: String(index), trigger: { type: 'words', words: wordsOf(index, wordCount) } }
})
// The first compile builds the tables of letters, once per process. Only the `first_` figures include their time and blocks.
const first = await compile(rules.slice(0, 1))
const before = await memory()
const runs: Omit<Awaited<ReturnType<typeof compile>>, 'matcher'>[] = []
let { matcher } = first
for (let run = 0; run < compiles; run += 1) {
  const { matcher: compiled, ...times } = await compile(rules)
  matcher = compiled
  runs.push(times)
}
const memoryPerMatcher = (await memory()) - before
const costs = measure(matcher)
const blocks = median(runs.map(({ blockMs }) => blockMs))
const figures = {
  patterns: matcher.weight,
  ...costs,
  compile_ms: median(runs.map(({ ms }) => ms)),
  compile_cpu_ms: median(runs.map(({ cpuMs }) => cpuMs)),
  longest_block_ms: blocks,
  first_compile_ms: first.ms,
  first_longest_block_ms: first.blockMs,
  matcher_memory_mb: memoryPerMatcher / 1e6,
}
report({ ...options, name: 'automod', figures, problems: problemsOf(costs, blocks) })

function problemsOf(measured: Record<string, number>, blockMs: number): string[] {
  if (options.isSmoke) return []
  const slow = Object.entries(measured).flatMap(([kind, us]) => {
    const goal = kind.startsWith('long_') ? MAX_LONG_MESSAGE_US : MAX_MESSAGE_US
    return us > goal ? [`${kind} is ${us.toFixed(1)}, more than ${goal}`] : []
  })
  return blockMs > MAX_BLOCK_MS ? [...slow, `compiling blocks for ${blockMs.toFixed(1)} ms`] : slow
}

/** Compiles, and measures the longest block: the CPU time of this thread between two callbacks of a chain of immediates. */
async function compile(toCompile: readonly TextRule[]) {
  let [blockMs, last, isRunning] = [0, threadMs(), true]
  const tick = () => {
    const now = threadMs()
    blockMs = Math.max(blockMs, now - last)
    last = now
    if (isRunning) setImmediate(tick)
  }
  setImmediate(tick)
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  const compiled = await compileMatcher(toCompile, { origin: 'https://chat.example.org' })
  const used = process.cpuUsage(cpu)
  tick()
  isRunning = false
  return {
    matcher: compiled,
    ms: performance.now() - start,
    cpuMs: (used.user + used.system) / 1000,
    blockMs,
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Returns the CPU time per message in microseconds, by kind of text. */
function measure(compiled: TextMatcher): Record<string, number> {
  return Object.fromEntries(
    Object.entries(texts).map(([kind, samples]) => {
      const count = kind.startsWith('long_') ? Math.ceil(messages / 40) : messages
      run(compiled, samples, Math.ceil(count / 10))
      const cpu = process.cpuUsage()
      run(compiled, samples, count)
      const { user, system } = process.cpuUsage(cpu)
      return [`${kind}_us`, (user + system) / count]
    }),
  )
}

function run(compiled: TextMatcher, samples: readonly string[], count: number): void {
  for (let index = 0; index < count; index += 1) compiled.match([samples[index % samples.length] ?? ''])
}

/** Returns the bytes in use. They include garbage unless Node runs with --expose-gc. */
async function memory(): Promise<number> {
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc?.()
    await setTimeout(50)
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
