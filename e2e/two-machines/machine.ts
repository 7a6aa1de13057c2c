import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Place } from './network.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Time to build the web client and create a database on a busy machine. */
const READY_LIMIT_MS = 180_000
const STOP_LIMIT_MS = 20_000
const POLL_MS = 50
const SETTINGS = 'foyer.env'

/** A machine with its own checkout, home and settings. Closing it ends everything that runs on it. */
export class Machine {
  readonly place: Place
  readonly #folder: string
  #output = ''
  readonly #running = new Set<ChildProcess>()

  /** @param folder folder for the machine, which need not exist */
  static async make(place: Place, folder: string): Promise<Machine> {
    const machine = new Machine(place, folder)
    for (const path of [machine.#checkout, machine.#programs, machine.#home])
      await mkdir(path, { recursive: true })
    checkOutTo(machine.#checkout)
    await writeFile(join(machine.#programs, 'npm'), npmFor(findProgram('npm')), { mode: 0o755 })
    return machine
  }

  private constructor(place: Place, folder: string) {
    this.place = place
    this.#folder = folder
  }

  get url(): string {
    return `https://${this.place.name}`
  }

  /** Log of the server, and the output of other commands. */
  get output(): string {
    return this.#output
  }

  /** Creates a file of the checkout. */
  async write(name: string, text: string): Promise<void> {
    await writeFile(join(this.#checkout, name), text, { mode: 0o600 })
  }

  /** Adds lines to the settings. */
  async set(...lines: string[]): Promise<void> {
    await appendFile(join(this.#checkout, SETTINGS), lines.map((line) => `${line}\n`).join(''), {
      mode: 0o600,
    })
  }

  /** Runs a command line in a shell in the checkout, and waits for its end. @returns its output */
  async run(words: string): Promise<string> {
    const before = this.#output.length
    const child = this.#type(words)
    const [code] = await once(child, 'close')
    const said = this.#output.slice(before)
    assert.equal(code, 0, `${words}\n${said}`)
    return said
  }

  /** Runs the command line that starts the server, and waits until the server is ready. */
  async start(words: string): Promise<void> {
    this.#output = ''
    const child = this.#type(words)
    await this.logged(/Foyer is ready at https:/, child)
  }

  /** Waits until the server has logged a match. @returns its capture groups */
  async logged(pattern: RegExp, child = [...this.#running][0]): Promise<string[]> {
    const deadline = Date.now() + READY_LIMIT_MS
    for (;;) {
      const found = pattern.exec(this.#output)
      if (found !== null) return found.slice(1)
      assert.ok(child !== undefined && child.exitCode === null, `the server has ended:\n${this.#output}`)
      assert.ok(Date.now() < deadline, `the server has not logged ${pattern}:\n${this.#output}`)
      await delay(POLL_MS)
    }
  }

  /** Ends the server as Ctrl-C does. */
  async stop(): Promise<void> {
    for (const child of this.#running) await end(child, 'SIGINT')
    assert.match(this.#output, /"msg":"stopped"/)
  }

  /** Ends everything that runs on the machine, also after a failure. */
  async close(): Promise<void> {
    for (const child of this.#running) await end(child, 'SIGTERM')
    for (const pid of this.place.processes()) kill(pid, 'SIGKILL')
  }

  get #checkout(): string {
    return join(this.#folder, 'foyer')
  }

  get #home(): string {
    return join(this.#folder, 'home')
  }

  get #programs(): string {
    return join(this.#folder, 'programs')
  }

  /** Runs a shell in its own process group. From our environment, it inherits only PATH. */
  #type(words: string): ChildProcess {
    const [program = '', ...args] = [...this.place.inside, 'sh', '-c', words]
    const PATH = [this.#programs, process.env.PATH ?? ''].join(delimiter)
    const child = spawn(program, args, {
      cwd: this.#checkout,
      env: { PATH, HOME: this.#home },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const read = (text: string) => {
      this.#output += text
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    const abort = () => killGroup(child, 'SIGKILL')
    // An aborted test must not leave a process running.
    process.once('exit', abort)
    this.#running.add(child)
    child.once('close', () => {
      process.off('exit', abort)
      this.#running.delete(child)
    })
    return child
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  killGroup(child, signal)
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), STOP_LIMIT_MS)
  await closed
  clearTimeout(timer)
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) kill(-pid, signal)
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already ended.
  }
}

/** Copies the files that a commit of the working tree would contain, so that a change is tested before its commit. */
function checkOutTo(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
  execFileSync('cp', ['--parents', '--no-dereference', '--target-directory', folder, ...paths], { cwd: root })
}

function findProgram(name: string): string {
  return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
}

/**
 * Returns a script to use instead of npm. Its `npm ci` links the packages that CI has installed for the same lockfile; npm
 * itself runs all other commands. Downloading a gigabyte for each machine would prove nothing about this commit.
 */
function npmFor(npm: string): string {
  const modules = globSync(['node_modules', '{apps,packages}/*/node_modules'], { cwd: root })
  const links = modules.map((path) => {
    const [from, to] = [`"${join(root, path)}"`, `"./${path}"`]
    return `  cp -al ${from} ${to} 2>/dev/null || { rm -rf ${to}; cp -a ${from} ${to}; } || exit 1`
  })
  return [
    '#!/bin/sh',
    'if [ "$1" = ci ]; then',
    '  [ -f package-lock.json ] || exit 1',
    ...links,
    // Compiled code and batches of tests belong to the checkout that made them.
    '  rm -rf node_modules/.cache node_modules/.vite-temp',
    `  exec "${npm}" run prepare`,
    'fi',
    `exec "${npm}" "$@"`,
    '',
  ].join('\n')
}
