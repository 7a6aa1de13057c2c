import type { CommandChoice } from '@foyer/protocol/commands'
import type { AnswerMessage, Interaction, InteractionOption, Modal } from '@foyer/protocol/interactions'
import { type Message, MessageFlag } from '@foyer/protocol/messages'
import type { Client } from './client.ts'
import { ApiError } from './rest.ts'

/** A bot's answer: a text, or any fields of a message. `ephemeral` shows it only to the user who asked. */
export type Reply = string | (AnswerMessage & { ephemeral?: boolean })

type Value = InteractionOption['value']

/** An interaction with a bot, and the ways to answer it. */
export class BotInteraction {
  /** Data from the server. */
  readonly data: Interaction
  readonly client: Client
  #state: 'open' | 'promised' | 'answered' = 'open'

  constructor(client: Client, data: Interaction) {
    this.client = client
    this.data = data
  }

  /** The user who began the interaction. */
  get user(): Interaction['user'] {
    return this.data.user
  }

  /** Custom id of the used component or the submitted modal; empty for other interactions. */
  get customId(): string {
    return this.data.component?.custom_id ?? this.data.modal?.custom_id ?? ''
  }

  /** The chosen values of a select. */
  get values(): readonly string[] {
    return this.data.component?.values ?? []
  }

  /** The option of an autocomplete that the user is typing. */
  get focused(): { name: string; value: string } {
    const option = this.data.command?.options.find(({ focused }) => focused)
    return { name: option?.name ?? '', value: String(option?.value ?? '') }
  }

  get isOpen(): boolean {
    return this.#state === 'open'
  }

  /** True after `defer`, until the answer is sent. */
  get isPromised(): boolean {
    return this.#state === 'promised'
  }

  /**
   * Returns a string option of the command. The methods below return options of other types: users, rooms and roles as
   * ids.
   * @param otherwise value for an omitted option. Without it, an omitted option throws, and so does an option of
   * another type.
   */
  string<T = never>(name: string, otherwise?: T): string | T {
    return this.#option(name, isString, otherwise)
  }

  integer<T = never>(name: string, otherwise?: T): number | T {
    return this.#option(name, isNumber, otherwise)
  }

  number<T = never>(name: string, otherwise?: T): number | T {
    return this.#option(name, isNumber, otherwise)
  }

  boolean<T = never>(name: string, otherwise?: T): boolean | T {
    return this.#option(name, isBoolean, otherwise)
  }

  userId<T = never>(name: string, otherwise?: T): string | T {
    return this.#option(name, isString, otherwise)
  }

  roomId<T = never>(name: string, otherwise?: T): string | T {
    return this.#option(name, isString, otherwise)
  }

  roleId<T = never>(name: string, otherwise?: T): string | T {
    return this.#option(name, isString, otherwise)
  }

  /** Returns the text of a modal's input. */
  field(customId: string): string {
    return this.data.modal?.fields.find(({ custom_id }) => custom_id === customId)?.value ?? ''
  }

  /** Answers the interaction, directly or after `defer`. */
  async reply(reply: Reply): Promise<void> {
    const data = messageOf(reply)
    if (this.#state === 'promised') await this.editReply(data)
    else await this.#answer('answered', () => this.#send('message', data))
  }

  /** Announces an answer that takes longer than 15 s. `reply` must follow within 15 minutes. */
  async defer({ ephemeral = false }: { ephemeral?: boolean } = {}): Promise<void> {
    const data = ephemeral ? { flags: MessageFlag.Ephemeral } : {}
    await this.#answer('promised', () => this.#send('deferred', data))
  }

  /** Changes the message of the used component. Without arguments it finishes the interaction without a change. */
  async update(reply: Reply = {}): Promise<void> {
    await this.#answer('answered', () => this.#send('update', messageOf(reply)))
  }

  /** Answers with a modal of text inputs. Its submission goes to the handler of `bot.modal`. */
  async showModal(modal: Modal): Promise<void> {
    await this.#answer('answered', () => this.#send('modal', { modal }))
  }

  /** Answers an autocomplete, with up to 25 values. */
  async suggest(choices: readonly (CommandChoice | string)[]): Promise<void> {
    const data = {
      choices: choices.map((choice) =>
        typeof choice === 'string' ? { name: choice, value: choice } : choice,
      ),
    }
    await this.#answer('answered', () => this.#send('autocomplete', data))
  }

  /** Sends a further message, within 15 minutes. */
  followUp(reply: Reply): Promise<Message> {
    return this.client.interactions.followUp(this.data, messageOf(reply))
  }

  async editReply(reply: Reply): Promise<Message> {
    const message = await this.client.interactions.updateAnswer(this.data, messageOf(reply))
    this.#state = 'answered'
    return message
  }

  deleteReply(): Promise<void> {
    return this.client.interactions.deleteAnswer(this.data)
  }

  /**
   * Sends the answer. If the server refuses it, the interaction can still be answered. After a network failure or a
   * 5xx, it counts as answered, because the outcome is unknown.
   */
  async #answer(state: 'promised' | 'answered', send: () => Promise<void>): Promise<void> {
    if (this.#state !== 'open')
      throw new Error('the interaction has already been answered: use followUp or editReply')
    this.#state = state
    try {
      await send()
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500
      if (isRefused) this.#state = 'open'
      throw error
    }
  }

  #send(type: string, data: object): Promise<void> {
    return this.client.interactions.answer(this.data, { type, data })
  }

  #option<V extends Value, T>(name: string, isFit: (value: Value) => value is V, otherwise?: T): V | T {
    const option = this.data.command?.options.find((each) => each.name === name)
    if (option !== undefined && isFit(option.value)) return option.value
    if (option === undefined && otherwise !== undefined) return otherwise
    throw new Error(`the option ${name} ${option === undefined ? 'was not given' : 'is of another type'}`)
  }
}

function messageOf(reply: Reply): AnswerMessage {
  if (typeof reply === 'string') return { content: reply }
  const { ephemeral, ...message } = reply
  return ephemeral ? { ...message, flags: (message.flags ?? 0) | MessageFlag.Ephemeral } : message
}

function isString(value: Value): value is string {
  return typeof value === 'string'
}

function isNumber(value: Value): value is number {
  return typeof value === 'number'
}

function isBoolean(value: Value): value is boolean {
  return typeof value === 'boolean'
}
