import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Foyer as an operator starts it, in its own process. */
export interface Program {
  url: string
  /** Waits for a line of the log that contains the text, and returns it. */
  logged(text: string): Promise<string>
  /** Kills the process, like a power cut, and waits for its end. */
  kill(): Promise<void>
  /** Stops the process as a service manager would. Resolves with the exit code. */
  stop(): Promise<number | null>
  /** Sends a signal without waiting for its effect. */
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code when the process has ended. */
  readonly exited: Promise<number | null>
}

/** @throws Error with all output, if the program ends before it is ready */
export async function startProgram(settings: Record<string, string>): Promise<Program> {
  const { child, exited, output } = spawnProgram(settings)
  const kill = () => child.kill('SIGKILL')
  // An aborted test must not leave a process running.
  process.once('exit', kill)
  const logged = (text: string) => output.line(text)
  const failed = exited.then(() => Promise.reject(new Error(output.text)))
  failed.catch(() => undefined)
  const ready = await Promise.race([logged('Foyer is ready at'), failed])
  return {
    url: /Foyer is ready at (?<url>http:[^"\s]+)/.exec(ready)?.groups?.url ?? '',
    logged: (text) => Promise.race([logged(text), failed]),
    signal: (name) => child.kill(name),
    exited: exited.finally(() => process.off('exit', kill)),
    async kill() {
      kill()
      await exited
      process.off('exit', kill)
    },
    async stop() {
      child.kill('SIGTERM')
      const code = await exited
      process.off('exit', kill)
      return code
    },
  }
}

/** Runs the program with settings that it refuses to start with, and waits for its end. */
export async function runProgram(
  settings: Record<string, string>,
): Promise<{ code: number | null; text: string }> {
  const { child, exited, output } = spawnProgram(settings)
  void output.line('Foyer is ready at').then(() => child.kill('SIGKILL'))
  const code = await exited
  return { code, text: output.text }
}

function spawnProgram(settings: Record<string, string>) {
  const { PATH = '', HOME = '/', NODE_COMPILE_CACHE } = process.env
  const usual = { PORT: '0', VOICE_PORT: '0', RATE_LIMITS: 'off', LINK_PREVIEWS: 'off' }
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...usual, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = new Output()
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.add(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => output.add(text))
  const { promise: exited, resolve } = Promise.withResolvers<number | null>()
  // The `close` event comes after the last output.
  child.once('close', (code) => resolve(code))
  return { child, exited, output }
}

class Output {
  text = ''
  #waiting: { text: string; resolve: (line: string) => void }[] = []

  add(text: string): void {
    this.text += text
    const waiting = this.#waiting
    this.#waiting = []
    for (const { text: awaited, resolve } of waiting) void this.line(awaited).then(resolve)
  }

  line(text: string): Promise<string> {
    const found = this.text
      .split('\n')
      .slice(0, -1)
      .find((line) => line.includes(text))
    const { promise, resolve } = Promise.withResolvers<string>()
    if (found === undefined) this.#waiting.push({ text, resolve })
    else resolve(found)
    return promise
  }
}
