import type { CreateCommand } from '@foyer/protocol/commands'
import type { Interaction } from '@foyer/protocol/interactions'
import { INTERACTION_FOLLOW_UP_SECONDS } from '@foyer/protocol/limits'
import { BotInteraction } from './bot-interaction.ts'
import { Client, type ClientOptions } from './client.ts'
import { defer } from './deferred.ts'
import { backoffMs, delay } from './delay.ts'
import { ApiError } from './rest.ts'
import { isolate } from './subscribers.ts'

export type BotHandler = (interaction: BotInteraction) => unknown

export interface BotOptions extends Pick<ClientOptions, 'baseUrl' | 'retry' | 'gatewayTimings'> {
  token: string
  /**
   * How the bot receives interactions. `gateway`, the default, uses the gateway connection, which also delivers all other
   * events. `poll` uses long polling, which needs outgoing requests only.
   */
  listen?: 'gateway' | 'poll'
  /** Receives errors of handlers, and the reason why the bot stopped listening. */
  onError: (error: unknown) => void
}

const POLL_SECONDS = 25
const REMEMBERED = 1000
const POLL_BACKOFF = { baseDelayMs: 500, maxDelayMs: 30_000 }
const APOLOGY = 'Sorry, something went wrong.'
const UNKNOWN = 'Sorry, this no longer works.'

/** A bot: handlers for its commands, buttons, selects and modals, and the connection that delivers interactions. */
export class Bot {
  /** Client for everything but interactions: messages, members, gateway events. */
  readonly client: Client
  readonly #options: BotOptions
  readonly #commands: CreateCommand[] = []
  /** Key: kind and name, such as `command roll`, `component vote`. */
  readonly #handlers = new Map<string, BotHandler>()
  readonly #seen = new Set<string>()
  readonly #running = new Set<Promise<void>>()
  readonly #stopped = new AbortController()

  constructor(options: BotOptions) {
    const { token, baseUrl, retry = {}, gatewayTimings = {} } = options
    this.#options = options
    this.client = new Client({ baseUrl, botToken: token, retry, gatewayTimings })
  }

  /** Adds a command that people type as `/name`. */
  command(command: CreateCommand, handler: BotHandler): this {
    this.#commands.push(command)
    return this.#handle('command', command.name, handler)
  }

  /** Adds a handler that suggests values for the command's options with `autocomplete`. */
  autocomplete(commandName: string, handler: BotHandler): this {
    return this.#handle('autocomplete', commandName, handler)
  }

  /** @param prefix beginning of the `custom_id` of a button or select; if several match, the longest is used */
  component(prefix: string, handler: BotHandler): this {
    return this.#handle('component', prefix, handler)
  }

  /** @param prefix beginning of the modal's `custom_id` */
  modal(prefix: string, handler: BotHandler): this {
    return this.#handle('modal', prefix, handler)
  }

  /** Sets the bot's commands, and starts to listen. Resolves once it is listening. */
  async start(): Promise<void> {
    const { id } = await this.client.users.me()
    await this.client.interactions.setCommands(id, this.#commands)
    if (this.#options.listen === 'poll') this.#track(this.#poll(id))
    else await this.#connect(id)
  }

  /** Stops receiving interactions. Resolves once all running handlers have finished. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    this.client.gateway.close()
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #handle(type: string, name: string, handler: BotHandler): this {
    const key = `${type} ${name}`
    if (this.#handlers.has(key)) throw new Error(`${key} already has a handler`)
    this.#handlers.set(key, handler)
    return this
  }

  #connect(appId: string): Promise<void> {
    const { gateway } = this.client
    const ready = defer<void>()
    gateway.on('INTERACTION_CREATE', (interaction) => this.#receive(interaction))
    gateway.on('READY', () => {
      ready.resolve()
      // Fetches interactions that arrived while the bot was not connected.
      this.#track(this.#takeWaiting(appId))
    })
    gateway.onState((_state, reason) => {
      if (reason === null) return
      const error = new Error(`the gateway closed permanently: ${reason.code}`)
      ready.reject(error)
      this.#report(error)
    })
    gateway.connect()
    return ready.promise
  }

  async #takeWaiting(appId: string): Promise<void> {
    try {
      while (await this.#takeOne(appId, 0));
    } catch (error) {
      if (!this.#stopped.signal.aborted) this.#report(error)
    }
  }

  /** Polls until the bot is stopped or the server refuses. */
  async #poll(appId: string): Promise<void> {
    let failures = 0
    while (!this.#stopped.signal.aborted) {
      const failure = await this.#takeOne(appId, POLL_SECONDS).then(
        () => null,
        (error: unknown) => ({ error }),
      )
      if (failure !== null && !(await this.#mayPollAgain(failure.error, failures))) return
      failures = failure === null ? 0 : failures + 1
    }
  }

  /** Handles the next waiting interaction. @returns true if there was one */
  async #takeOne(appId: string, timeoutSeconds: number): Promise<boolean> {
    const { signal } = this.#stopped
    const taken = await this.client.interactions.next(appId, timeoutSeconds, { signal })
    if (taken !== undefined) this.#receive(taken)
    return taken !== undefined
  }

  async #mayPollAgain(error: unknown, failures: number): Promise<boolean> {
    const { signal } = this.#stopped
    if (signal.aborted) return false
    this.#report(error)
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) return false
    return delay(backoffMs(failures, POLL_BACKOFF), signal).then(
      () => true,
      () => false,
    )
  }

  /**
   * Runs the handler of an interaction. Ignores repeated interactions, because delivery is at least once, and expired
   * interactions, because the gateway replays old events after a long absence.
   */
  #receive(data: Interaction): void {
    const isOver = Date.now() - Date.parse(data.created_at) > INTERACTION_FOLLOW_UP_SECONDS * 1000
    if (isOver || this.#seen.has(data.id)) return
    this.#seen.add(data.id)
    const [oldest] = this.#seen
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest)
    this.#track(this.#run(new BotInteraction(this.client, data)))
  }

  async #run(interaction: BotInteraction): Promise<void> {
    const handler = this.#handlerOf(interaction)
    try {
      if (handler === undefined) await decline(interaction)
      else await handler(interaction)
      if (interaction.isOpen) await this.#finish(interaction)
    } catch (error) {
      // Ignored: another process of the bot answered first.
      if (error instanceof ApiError && error.code === 'interaction_answered') return
      this.#report(error)
      await apologize(interaction).catch(() => undefined)
    }
  }

  #handlerOf({ data, customId }: BotInteraction): BotHandler | undefined {
    if (data.command !== null) return this.#handlers.get(`${data.type} ${data.command.name}`)
    const wanted = `${data.type} ${customId}`
    const keys = [...this.#handlers.keys()].filter((key) => wanted.startsWith(key))
    const longest = keys.toSorted((one, other) => other.length - one.length)[0]
    return longest === undefined ? undefined : this.#handlers.get(longest)
  }

  /**
   * Finishes an interaction that the handler did not answer. A component is finished without a change. Other interactions
   * throw, so that the caller apologizes to the user.
   */
  async #finish(interaction: BotInteraction): Promise<void> {
    if (interaction.data.type === 'component') return interaction.update()
    throw new Error(`the handler did not answer an interaction of type ${interaction.data.type}`)
  }

  #report(error: unknown): void {
    isolate(() => this.#options.onError(error))
  }

  #track(work: Promise<void>): void {
    this.#running.add(work)
    void work.finally(() => this.#running.delete(work))
  }
}

function decline(interaction: BotInteraction): Promise<void> {
  if (interaction.data.type === 'autocomplete') return interaction.suggest([])
  return interaction.reply({ content: UNKNOWN, ephemeral: true })
}

async function apologize(interaction: BotInteraction): Promise<void> {
  const apology = { content: APOLOGY, ephemeral: true }
  if (interaction.data.type === 'autocomplete')
    return interaction.isOpen ? interaction.suggest([]) : undefined
  if (interaction.isOpen) return interaction.reply(apology)
  if (interaction.isPromised) await interaction.editReply(APOLOGY)
  else await interaction.followUp(apology)
}
