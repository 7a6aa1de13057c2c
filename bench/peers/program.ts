import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const CONFIG = join(import.meta.dirname, 'config')
const MAX_START_MS = 60_000
const MAX_STOP_MS = 10_000
const POLL_MS = 20
const LOG_TAIL = 2000

/** Debian installs servers in folders that are only on root's path. */
const PATH = `${process.env.PATH}:/usr/sbin`

export function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore', env: { ...process.env, PATH } })
    return true
  } catch {
    return false
  }
}

/** Reads a file of bench/peers/config and fills in the values in braces. */
export async function readConfig(
  name: string,
  values: Record<string, string | number> = {},
): Promise<string> {
  const text = await readFile(join(CONFIG, name), 'utf8')
  return Object.entries(values).reduce(
    (filled, [key, value]) => filled.replaceAll(`{${key}}`, `${value}`),
    text,
  )
}

/** Writes the file into the folder and returns its path. */
export async function writeConfig(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

export interface ProgramOptions {
  command: readonly [string, ...string[]]
  folder: string
  /** Ports that the program listens on once it is up. */
  ports: readonly number[]
  environment?: Record<string, string>
}

export interface Program {
  processId: number
  stop(): Promise<void>
}

/** Starts a server, and waits until it accepts connections. */
export async function startProgram({
  command,
  folder,
  ports,
  environment,
}: ProgramOptions): Promise<Program> {
  const [program, ...given] = command
  const logPath = join(folder, 'output')
  const log = openSync(logPath, 'a')
  const child = spawn(program, given, {
    cwd: folder,
    stdio: ['ignore', log, log],
    env: { ...process.env, PATH, ...environment },
  })
  closeSync(log)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const stop = () => stopProgram(child)
  try {
    for (const port of ports) await listening(child, port)
  } catch (error) {
    await stop()
    throw new Error(`${program} did not start:\n${readFileSync(logPath, 'utf8').slice(-LOG_TAIL)}`, {
      cause: error,
    })
  }
  return { processId: child.pid ?? 0, stop }
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + MAX_START_MS
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended by itself')
    if (performance.now() > deadline) throw new Error(`it accepts no connections after ${MAX_START_MS} ms`)
    await sleep(POLL_MS)
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS)
  await exited
  clearTimeout(timer)
}
