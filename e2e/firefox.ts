import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Path of Firefox on Debian. */
const PROGRAM = '/usr/bin/firefox-esr'

/** Reason why there is no Firefox to test with, or false. */
export const noFirefox = existsSync(PROGRAM) ? false : `${PROGRAM} is not installed`

/** Provides a tone as the microphone, without a permission prompt. */
const PREFERENCES = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.update.disabledForTesting': true,
}

interface Answer {
  readonly id?: number
  readonly type: string
  readonly result?: { readonly [key: string]: unknown }
  readonly message?: string
}

/** Returns this machine's addresses except loopback, for which Firefox has no ICE candidates. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address)
}

/** A headless Firefox with one page, driven by WebDriver BiDi. Playwright only drives its own builds of Firefox. */
export class Firefox {
  readonly #child: ChildProcess
  readonly #profile: string
  readonly #socket: WebSocket
  readonly #pending = new Map<number, PromiseWithResolvers<Answer>>()
  #context = ''
  #sent = 0

  static async open(): Promise<Firefox> {
    const profile = await mkdtemp(join(tmpdir(), 'foyer-firefox-'))
    const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${value});`)
    await writeFile(join(profile, 'user.js'), lines.join('\n'))
    const child = spawn(PROGRAM, ['--headless', '--profile', profile, '--remote-debugging-port', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    })
    process.once('exit', () => child.kill('SIGKILL'))
    const socket = new WebSocket(`${await addressOf(child)}/session`)
    await once(socket, 'open')
    const firefox = new Firefox(child, profile, socket)
    await firefox.#begin()
    return firefox
  }

  private constructor(child: ChildProcess, profile: string, socket: WebSocket) {
    this.#child = child
    this.#profile = profile
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const answer: Answer = JSON.parse(String(data))
      this.#pending.get(answer.id ?? 0)?.resolve(answer)
    })
    // After Firefox has exited, pending commands get no response.
    socket.addEventListener('close', () => {
      for (const { reject } of this.#pending.values()) reject(new Error('Firefox has gone'))
    })
  }

  async goto(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' })
  }

  /**
   * Evaluates an expression in the page and returns the result as text. Rejects with the error of the expression. The
   * evaluation counts as a user gesture, like a click.
   */
  async evaluate(expression: string): Promise<string> {
    const { result, exceptionDetails } = await this.#send('script.evaluate', {
      expression: `(async () => String(await (${expression})))()`,
      target: { context: this.#context },
      awaitPromise: true,
      userActivation: true,
    })
    if (exceptionDetails !== undefined) throw new Error(String(Object(exceptionDetails).text))
    return String(Object(result).value ?? JSON.stringify(result))
  }

  /** Clicks the middle of an element with the mouse, for actions that browsers allow only after a gesture. */
  async click(element: string): Promise<void> {
    const box = `(({ x, y, width, height }) => [x + width / 2, y + height / 2])(${element}.getBoundingClientRect())`
    const [x = 0, y = 0] = (await this.evaluate(box)).split(',').map((each) => Math.round(Number(each)))
    const clicked = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }))
    const actions = [{ type: 'pointerMove', x, y }, ...clicked]
    await this.#send('input.performActions', {
      context: this.#context,
      actions: [{ type: 'pointer', id: 'mouse', actions }],
    })
  }

  async close(): Promise<void> {
    this.#socket.close()
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10 })
  }

  async #begin(): Promise<void> {
    await this.#send('session.new', { capabilities: {} })
    const { context } = await this.#send('browsingContext.create', { type: 'tab' })
    this.#context = String(context)
  }

  async #send(method: string, params: object): Promise<{ readonly [key: string]: unknown }> {
    this.#sent += 1
    const id = this.#sent
    const pending = Promise.withResolvers<Answer>()
    this.#pending.set(id, pending)
    this.#socket.send(JSON.stringify({ id, method, params }))
    const { result, message } = await pending.promise.finally(() => this.#pending.delete(id))
    if (result === undefined) throw new Error(`${method}: ${message}`)
    return result
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('nothing can be heard of Firefox')
  const ready = Promise.withResolvers<string>()
  const reader = createInterface({ input: child.stderr })
  reader.on('line', (line) => {
    const url = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    if (url !== undefined) ready.resolve(url)
  })
  reader.on('close', () => ready.reject(new Error('Firefox did not start')))
  return ready.promise
}
