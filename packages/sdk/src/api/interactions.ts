import type { ApplicationCommand, AvailableCommand, CreateCommand } from '@foyer/protocol/commands'
import type {
  AnswerMessage,
  CreatedInteraction,
  CreateInteractionBody,
  Interaction,
  InteractionCallbackBody,
} from '@foyer/protocol/interactions'
import type { Message } from '@foyer/protocol/messages'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** The id and token with which a bot answers an interaction. */
export type InteractionAddress = Pick<Interaction, 'id' | 'token'>

/** Id that stands for the interaction's first answer. */
const ORIGINAL = '@original'

/** Commands of bots, and interactions with them. */
export class Interactions {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Lists an application's own commands, for its owner and its bot. */
  listCommands(appId: string, options?: CallOptions): Promise<ApplicationCommand[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/applications/${appId}/commands` })
  }

  /** Sets all of the application's commands. Existing commands that are not in the list are deleted. */
  setCommands(
    appId: string,
    body: readonly CreateCommand[],
    options?: CallOptions,
  ): Promise<ApplicationCommand[]> {
    const where = path`/api/applications/${appId}/commands`
    return this.#rest.request({ ...options, method: 'PUT', path: where, body })
  }

  /** Lists the commands of all bots in the space. */
  listOfSpace(spaceId: string, options?: CallOptions): Promise<AvailableCommand[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/commands` })
  }

  listOfConversation(conversationId: string, options?: CallOptions): Promise<AvailableCommand[]> {
    const where = path`/api/conversations/${conversationId}/commands`
    return this.#rest.request({ ...options, method: 'GET', path: where })
  }

  /** Starts an interaction with a bot. INTERACTION_UPDATE reports the outcome. A request with a nonce is safe to repeat. */
  create(body: CreateInteractionBody, options?: CallOptions): Promise<CreatedInteraction> {
    const idempotent = typeof body.nonce === 'string'
    return this.#rest.request({ ...options, method: 'POST', path: '/api/interactions', body, idempotent })
  }

  /**
   * Returns a bot's next interaction, leased for 30 s. It is delivered again unless the bot answers by then.
   * @param timeout seconds to wait for an interaction, at most 25
   */
  next(appId: string, timeout: number, options?: CallOptions): Promise<Interaction | undefined> {
    const where = path`/api/applications/${appId}/interactions/next`
    return this.#rest.request({ ...options, method: 'GET', path: where, query: { timeout } })
  }

  /** Answers an interaction, within 15 s. A second answer, even an equal one, fails with 400 `interaction_answered`. */
  answer(to: InteractionAddress, body: InteractionCallbackBody, options?: CallOptions): Promise<void> {
    const where = `${pathOf(to)}/callback`
    return this.#rest.request({ ...options, method: 'POST', path: where, body, idempotent: true })
  }

  /** Returns the first answer, within 15 minutes. */
  getAnswer(to: InteractionAddress, options?: CallOptions): Promise<Message> {
    return this.getFollowUp(to, ORIGINAL, options)
  }

  /**
   * Edits the first answer, or sends the answer that `deferred` announced. Omitted fields stay unchanged; null clears a
   * field.
   */
  updateAnswer(to: InteractionAddress, body: AnswerMessage, options?: CallOptions): Promise<Message> {
    return this.updateFollowUp(to, ORIGINAL, body, options)
  }

  deleteAnswer(to: InteractionAddress, options?: CallOptions): Promise<void> {
    return this.deleteFollowUp(to, ORIGINAL, options)
  }

  /** Sends a further message, within 15 minutes. */
  followUp(to: InteractionAddress, body: AnswerMessage, options?: CallOptions): Promise<Message> {
    return this.#rest.request({ ...options, method: 'POST', path: `${pathOf(to)}/messages`, body })
  }

  getFollowUp(to: InteractionAddress, messageId: string, options?: CallOptions): Promise<Message> {
    return this.#rest.request({ ...options, method: 'GET', path: messagePath(to, messageId) })
  }

  /** Omitted fields stay unchanged; null clears a field. */
  updateFollowUp(
    to: InteractionAddress,
    messageId: string,
    body: AnswerMessage,
    options?: CallOptions,
  ): Promise<Message> {
    return this.#rest.request({ ...options, method: 'PATCH', path: messagePath(to, messageId), body })
  }

  deleteFollowUp(to: InteractionAddress, messageId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: messagePath(to, messageId) })
  }
}

function messagePath(to: InteractionAddress, messageId: string): string {
  return pathOf(to) + path`/messages/${messageId}`
}

function pathOf({ id, token }: InteractionAddress): string {
  return path`/api/interactions/${id}/${token}`
}
