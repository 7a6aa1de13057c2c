import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

/** A child process that ends with this one, even after a crash. */
export class BoundChild {
  readonly #child: ChildProcess
  readonly exited: Promise<void>

  /** @param logPath file to which the output is appended */
  constructor(command: readonly string[], logPath: string, environment: Record<string, string> = {}) {
    const [file = '', ...args] = [...binding, ...command]
    const log = openSync(logPath, 'a')
    this.#child = spawn(file, args, {
      stdio: ['ignore', log, log],
      env: { ...process.env, ...environment },
    })
    closeSync(log)
    const kill = () => this.#child.kill('SIGKILL')
    process.once('exit', kill)
    this.exited = new Promise((resolve) => {
      this.#child.once('error', () => resolve())
      this.#child.once('exit', () => {
        process.off('exit', kill)
        resolve()
      })
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get isAlive(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  signal(signal: NodeJS.Signals): void {
    if (this.isAlive) this.#child.kill(signal)
  }

  /** Kills the child as a power cut would. Resolves when it has exited. */
  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.exited
  }
}

/** Lets the kernel kill the child when this process is killed, where supported. */
const binding = canBind() ? ['setpriv', '--pdeathsig=KILL'] : []

function canBind(): boolean {
  try {
    execFileSync('setpriv', ['--pdeathsig=KILL', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
