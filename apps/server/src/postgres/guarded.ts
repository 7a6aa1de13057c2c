import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import type { Account } from './account.ts'

const run = promisify(execFile)

/** A child process that ends when this process ends, even if this process is killed. */
export interface Guarded {
  child: ChildProcess
  exited: Promise<number | null>
  /** The last lines that the program wrote to stderr, to explain why it ended. */
  lastLines(): string
}

export interface GuardedOptions {
  cwd: string
  account: Account
  /** True if this machine's setpriv can end the child together with us: see canBindLives. */
  bound: boolean
  /** A descriptor that the program and all its children keep open: see FolderLock. */
  inherited?: number
  onLine?: (line: string) => void
}

const KEPT_LINES = 8
/** Contains nothing of our environment, which holds secrets. PG* variables would change PostgreSQL's behaviour. */
export const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * An immediate shutdown of PostgreSQL. The next start recovers, as after a kill. A fast shutdown (SIGINT) can hang
 * forever while PostgreSQL recovers from the crash of a process, and no process would be left to end it.
 */
const LAST_SIGNAL = 'SIGQUIT'
const DEATH_SIGNAL = `--pdeathsig=${LAST_SIGNAL}`

/** Returns whether setpriv (util-linux, only on Linux) can make the kernel signal a child when its parent dies. */
export async function canBindLives(): Promise<boolean> {
  return run('setpriv', [DEATH_SIGNAL, 'true'], { env: ENVIRONMENT }).then(
    () => true,
    () => false,
  )
}

export function spawnGuarded(command: string[], options: GuardedOptions): Guarded {
  const [file = '', ...args] = options.bound ? bind(command) : command
  const child = spawn(file, args, {
    ...options.account,
    cwd: options.cwd,
    // A session of its own: Ctrl-C in the terminal must only reach us, because draining needs the database.
    detached: true,
    env: ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe', options.inherited ?? 'ignore'],
  })
  if (!options.bound) watch(child)
  return { child, exited: exitOf(child), lastLines: keepLines(child, options.onLine) }
}

/**
 * The shell in between detects a parent that died before setpriv requested the signal, which would then never be sent.
 * It replaces itself, so that the pid stays the child's.
 */
function bind(command: string[]): string[] {
  const script = '[ "$PPID" = "$1" ] || exit 1; shift; exec "$@"'
  return ['setpriv', DEATH_SIGNAL, 'sh', '-c', script, 'sh', String(process.pid), ...command]
}

/** On other systems, such as macOS, a shell waits for the end of a pipe that only we hold, and then signals the child. */
function watch(child: ChildProcess): void {
  if (child.pid === undefined) return
  const script = 'cat; kill -QUIT "$1"'
  const watchdog = spawn('sh', ['-c', script, 'sh', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.on('error', () => child.kill(LAST_SIGNAL))
  watchdog.unref()
  // Ends the watchdog before the pid can go to another process.
  child.once('exit', () => watchdog.kill('SIGKILL'))
}

function exitOf(child: ChildProcess): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('exit', resolve)
  child.once('error', () => resolve(null))
  return promise
}

function keepLines(child: ChildProcess, onLine?: (line: string) => void): () => string {
  const kept: string[] = []
  let rest = ''
  const keep = (line: string) => {
    kept.push(line)
    if (kept.length > KEPT_LINES) kept.shift()
    onLine?.(line)
  }
  child.once('error', (error) => keep(error.message))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    lines.filter((line) => line !== '').forEach(keep)
  })
  return () => [...kept, rest].filter((line) => line !== '').join('\n')
}
