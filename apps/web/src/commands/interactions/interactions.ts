import type { CommandChoice } from '@foyer/protocol/commands'
import type { CreateInteractionBody, InteractionUpdate } from '@foyer/protocol/interactions'
import { INTERACTION_ANSWER_SECONDS } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import type { Client } from '@foyer/sdk/client'
import { randomNonce } from '@foyer/sdk/nonce'
import type { StoreApi } from 'zustand/vanilla'
import { t } from '#src/language/texts.ts'
import type { Session } from '#src/session/session.ts'
import { errorMessage, type Words } from '#src/ui/fields/form-errors.ts'
import { serverTime } from '#src/ui/time/server-clock.ts'
import {
  type Ask,
  type InteractionsState,
  withAsk,
  withFailed,
  withoutAsk,
  withoutEphemeral,
  withUpdate,
} from './interaction-state.ts'
import { interactionsOf } from './interaction-store.ts'

/**
 * Time after which an interaction counts as failed. The server reports an unanswered interaction within 75 s, even if it
 * delivers the interaction to the bot a second time. This timeout covers a lost report.
 */
const PATIENCE_MS = 80_000
/** Time to wait for a bot's suggestions. Later suggestions are outdated. */
const SUGGESTION_PATIENCE_MS = INTERACTION_ANSWER_SECONDS * 1000

const words: Words = {
  unknown_application: t('This bot is no longer available here.'),
  unknown_command: t('The bot no longer has this command. Choose another.'),
  unknown_message: t('This message no longer exists.'),
  unknown_component: t('The bot changed this message. Try again.'),
  unknown_interaction: t('This has expired. Start again.'),
}

export type NewAsk = Pick<Ask, 'channelId' | 'bot' | 'label' | 'component' | 'body'>

const sessions = new WeakMap<Session, Interactions>()

/** The user's interactions with bots, and the responses that only the user receives. */
export class Interactions {
  readonly #state: StoreApi<InteractionsState>
  readonly #client: Client
  /** Autocomplete requests waiting for suggestions, by nonce. */
  readonly #suggesting = new Map<string, (choices: CommandChoice[]) => void>()

  static of(session: Session): Interactions {
    const interactions = sessions.get(session) ?? new Interactions(session)
    sessions.set(session, interactions)
    return interactions
  }

  private constructor(session: Session) {
    this.#client = session.client
    this.#state = interactionsOf(session)
  }

  /** Starts an interaction, and shows it until it is answered. Also shows errors. */
  ask(asked: NewAsk): void {
    this.#try(begin(asked))
  }

  /** Starts an interaction for callers that show errors themselves. */
  async submit(asked: NewAsk): Promise<void> {
    const ask = begin(asked)
    try {
      await this.#send(ask)
    } catch (error) {
      this.discard(ask)
      throw error
    }
  }

  /** Tries again. An unconfirmed interaction keeps its nonce, so that it can't happen twice. */
  retry(ask: Ask): void {
    this.discard(ask)
    const nonce = ask.id === null ? ask.nonce : randomNonce()
    this.#try({ ...ask, nonce, id: null, status: 'sending', error: null })
  }

  discard({ nonce }: Ask): void {
    this.#change((state) => withoutAsk(state, nonce))
  }

  dismiss(message: Message): void {
    this.#change((state) => withoutEphemeral(state, message))
  }

  closeModal(): void {
    this.#change((state) => ({ ...state, modal: null }))
  }

  /**
   * Returns the bot's suggestions; none if the bot does not respond.
   * @param signal ends the wait, not the request
   */
  async suggest(body: CreateInteractionBody, signal: AbortSignal): Promise<CommandChoice[]> {
    const nonce = randomNonce()
    const { promise, resolve } = Promise.withResolvers<CommandChoice[]>()
    const over = AbortSignal.any([signal, AbortSignal.timeout(SUGGESTION_PATIENCE_MS)])
    over.addEventListener('abort', () => resolve([]), { once: true })
    this.#suggesting.set(nonce, resolve)
    try {
      await this.#client.interactions.create({ ...body, nonce }, { signal })
      return await promise
    } finally {
      this.#suggesting.delete(nonce)
    }
  }

  #try(ask: Ask): void {
    this.#send(ask).catch((error) => {
      this.#change((state) => withFailed(state, ask.nonce, errorMessage(error, words)))
    })
  }

  async #send(ask: Ask): Promise<void> {
    this.#change((state) => withAsk(state, ask))
    const { id } = await this.#client.interactions.create({ ...ask.body, nonce: ask.nonce })
    // The response may have arrived first.
    if (this.#isIn('sending', ask))
      this.#change((state) => withAsk(state, { ...ask, id, status: 'thinking' }))
    setTimeout(() => this.#giveUp(ask), PATIENCE_MS)
  }

  #giveUp({ nonce }: Ask): void {
    if (this.#isIn('thinking', { nonce })) this.#change((state) => withFailed(state, nonce))
  }

  /** Applies an event of the gateway. */
  handleUpdate(update: InteractionUpdate): void {
    this.#suggesting.get(update.nonce ?? '')?.(update.choices ?? [])
    this.#change((state) => withUpdate(state, update))
  }

  #isIn(status: Ask['status'], { nonce }: Pick<Ask, 'nonce'>): boolean {
    return this.#state.getState().asks.some((ask) => ask.nonce === nonce && ask.status === status)
  }

  #change(change: (state: InteractionsState) => InteractionsState): void {
    this.#state.setState(change, true)
  }
}

function begin({ channelId, bot, label, component, body }: NewAsk): Ask {
  const created_at = serverTime()
  const asked = { channelId, bot, label, component, body, created_at }
  return { ...asked, nonce: randomNonce(), id: null, status: 'sending', error: null }
}
