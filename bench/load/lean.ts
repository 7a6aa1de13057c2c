import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Folder of the load generator in C, which takes a fraction of the CPU time of the servers it drives. */
const SOURCES = join(import.meta.dirname, 'lean')
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/bench')
const COMPILER = 'gcc'

/** Reason why the load cannot run, or false. In CI, a missing compiler is an error instead. */
export const withoutLean =
  !hasCompiler() && process.env.CI === undefined ? `${COMPILER} is not installed` : false

/** One connection. The arguments of each protocol are listed in lean/protocols.h. */
export interface Participant {
  protocol: string
  role: 'listen' | 'send' | 'both'
  /** Participants in one room receive each other's messages. */
  room: number
  /** Port of the server. Defaults to the port of `Connections`. */
  port?: number | undefined
  arguments: readonly string[]
}

export interface LeanLoad extends Connections, Phase {}

export interface Connections {
  port: number
  participants: readonly Participant[]
  /** Connections opened in parallel. Defaults to 32. */
  openingAtOnce?: number | undefined
  /** Seconds that messages may still take to arrive at the end of a phase. Defaults to 15. */
  maxLateSeconds?: number | undefined
}

export interface Phase {
  /** Number of senders, counted from the first. Defaults to all. */
  senders?: number | undefined
  /** Seconds before the measurement. */
  warmup: number
  /** Seconds of the measurement. */
  seconds: number
  /** Milliseconds between two messages. If undefined, each sender sends when its last message is acknowledged. */
  pauseMs?: number | undefined
}

export interface LeanFigures {
  /** Messages acknowledged during the measurement, and the seconds up to the last of them. */
  messages: number
  messages_seconds: number
  /** Deliveries to listeners, and the seconds up to the last of them. */
  deliveries: number
  deliveries_seconds: number
  ack_p50_ms: number
  ack_p99_ms: number
  /** Time from sending a message until the last listener has received it. */
  last_p50_ms: number
  last_p99_ms: number
  load_cpu_seconds: number
}

interface LeanResult extends LeanFigures {
  missing: number
  out_of_turn: number
  closed: number
}

/**
 * Sends and receives messages for the given time.
 * @param onMeasuring called after the warm-up
 * @returns the figures, when all messages have arrived
 * @throws Error if a message is lost, duplicated, refused, or delivered to the wrong listeners
 */
export async function runLean(load: LeanLoad, onMeasuring: () => void): Promise<LeanFigures> {
  const [figures] = await runPhases(load, [{ ...load, onMeasuring, onMeasured: (measured) => measured }])
  if (figures === undefined) throw new Error('the load ended without figures')
  return figures
}

export interface MeasuredPhase<Result> extends Phase {
  /** Called after the warm-up. */
  onMeasuring(): void
  /** Called when all messages have arrived. */
  onMeasured(figures: LeanFigures): Result
}

/**
 * Runs one phase after the other, on the same connections.
 * @throws Error in the same cases as `runLean`
 */
export async function runPhases<Result>(
  connections: Connections,
  phases: readonly MeasuredPhase<Result>[],
): Promise<Result[]> {
  const senders = connections.participants.filter(({ role }) => role !== 'listen').length
  const head = phases.map((phase) => phaseLine(phase, senders))
  const results: Result[] = []
  await withLean(connections, head, async (lines) => {
    for await (const line of lines) {
      const phase = phases[results.length]
      if (line === 'measuring') phase?.onMeasuring()
      else if (phase !== undefined) results.push(phase.onMeasured(readFigures(line)))
    }
  })
  return results
}

function phaseLine(phase: Phase, all: number): string {
  const times = [phase.warmup * 1000, phase.seconds * 1000, phase.pauseMs ?? 0]
  return ['phase', phase.senders ?? all, ...times.map(Math.round)].join(' ')
}

export interface IdleConnections extends Connections {
  /** Number of connections open at the first reading. */
  first: number
}

/** Opens connections that send nothing, and calls `read` twice: when the first connections are open, and when all are. */
export async function holdIdle<Reading>(
  connections: IdleConnections,
  read: () => Promise<Reading>,
): Promise<Reading[]> {
  const readings: Reading[] = []
  await withLean(connections, [`first ${connections.first}`], async (lines, goOn) => {
    for await (const line of lines) {
      readings.push(await read())
      if (!line.endsWith(' 0')) throw new Error(`connections were cut off: ${line}`)
      if (readings.length === 2) return
      goOn()
    }
  })
  return readings
}

type Lines = AsyncIterable<string>

/** Runs the program, which ends by itself, or when its standard input is closed. */
async function withLean(
  connections: Connections,
  head: readonly string[],
  follow: (lines: Lines, goOn: () => void) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-lean-'))
  const path = join(folder, 'plan')
  await writeFile(path, planOf(connections, head))
  const child = spawn(compile(), [path], { stdio: ['pipe', 'pipe', 'pipe'] })
  const stderr: string[] = []
  child.stderr.on('data', (text: Buffer) => stderr.push(text.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stdin.on('error', () => undefined)
  try {
    await follow(createInterface(child.stdout), () => child.stdin.write('\n'))
    child.stdin.end()
    const code = await ended
    if (code !== 0) throw new Error(`the load failed: ${stderr.join('').trim()}`)
  } finally {
    child.kill()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

function planOf(
  { port, openingAtOnce = 32, maxLateSeconds = 15, participants }: Connections,
  head: readonly string[],
): string {
  const connections = participants.flatMap(({ protocol, role, room, port: own, arguments: given }) => [
    `port ${own ?? port}`,
    ['connection', protocol, role, room, ...given].join(' '),
  ])
  return `${[`opening ${openingAtOnce}`, `late_ms ${maxLateSeconds * 1000}`, ...head, ...connections].join('\n')}\n`
}

function readFigures(line: string): LeanFigures {
  const { missing, out_of_turn, closed, ...figures }: LeanResult = JSON.parse(line)
  const problems = [
    ...(missing === 0 ? [] : [`${missing} acknowledgements or deliveries are missing`]),
    ...(out_of_turn === 0 ? [] : [`${out_of_turn} deliveries were duplicated or reordered`]),
    ...(closed === 0 ? [] : [`${closed} connections were cut off`]),
  ]
  if (problems.length > 0) throw new Error(problems.join('; '))
  return figures
}

/** Compiles the program if its sources have changed. */
function compile(): string {
  const names = readdirSync(SOURCES).sort()
  const sources = names.filter((name) => name.endsWith('.c')).map((name) => join(SOURCES, name))
  const hash = createHash('sha256')
  for (const name of names) hash.update(readFileSync(join(SOURCES, name)))
  const program = join(CACHE, `lean-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(program)) return program
  mkdirSync(CACHE, { recursive: true })
  const made = `${program}.${process.pid}`
  execFileSync(COMPILER, ['-O2', '-std=c17', '-Wall', '-Wextra', '-o', made, ...sources, '-lm'])
  renameSync(made, program)
  return program
}

function hasCompiler(): boolean {
  try {
    execFileSync(COMPILER, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
