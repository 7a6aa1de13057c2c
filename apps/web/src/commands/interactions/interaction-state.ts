import type { CreateInteractionBody, InteractionUpdate, Modal } from '@foyer/protocol/interactions'
import { type Message, MessageFlag } from '@foyer/protocol/messages'
import type { User } from '@foyer/protocol/users'
import { t } from '#src/language/texts.ts'

/** An interaction of this client that the bot has not answered yet. */
export interface Ask {
  readonly nonce: string
  /** The server's id, once confirmed. */
  readonly id: string | null
  readonly channelId: string
  readonly bot: User
  /** Label shown to the user: `/poll`. */
  readonly label: string
  /** The component that was used; null for commands, which are shown below the messages. */
  readonly component: { readonly messageId: string; readonly customId: string } | null
  readonly body: CreateInteractionBody
  readonly created_at: string
  readonly status: 'sending' | 'thinking' | 'failed'
  readonly error: string | null
}

/** A form that a bot responded with. */
export interface OpenModal {
  readonly interactionId: string
  readonly modal: Modal
  readonly ask: Ask
}

export interface InteractionsState {
  readonly asks: readonly Ask[]
  /** Ephemeral messages by channel, until dismissed or the page is reloaded. */
  readonly ephemerals: Readonly<Record<string, readonly Message[]>>
  readonly modal: OpenModal | null
}

/** Ephemeral messages kept per channel; older ones are dropped. */
const MAX_EPHEMERALS = 20

const UNANSWERED = t('The bot didn’t respond in time. Try again.')

/** Adds an interaction or updates its status. */
export function withAsk(state: InteractionsState, ask: Ask): InteractionsState {
  const index = state.asks.findIndex(({ nonce }) => nonce === ask.nonce)
  return { ...state, asks: index === -1 ? [...state.asks, ask] : state.asks.with(index, ask) }
}

export function withoutAsk(state: InteractionsState, nonce: string): InteractionsState {
  const asks = state.asks.filter((ask) => ask.nonce !== nonce)
  return asks.length === state.asks.length ? state : { ...state, asks }
}

/** Marks an interaction as failed, unless it has been answered. */
export function withFailed(state: InteractionsState, nonce: string, error = UNANSWERED): InteractionsState {
  const ask = state.asks.find((other) => other.nonce === nonce)
  return ask === undefined ? state : withAsk(state, { ...ask, status: 'failed', error })
}

/** Applies the server's update of an interaction. */
export function withUpdate(state: InteractionsState, update: InteractionUpdate): InteractionsState {
  const ask = state.asks.find(({ nonce, id }) => nonce === update.nonce || id === update.id)
  if (update.state === 'failed') return ask === undefined ? state : withFailed(state, ask.nonce)
  if (update.state === 'deleted')
    return update.message === null
      ? withoutAnswers(state, update.id)
      : withoutEphemeral(state, update.message)
  const settled = ask === undefined ? state : withoutAsk(state, ask.nonce)
  const answered = update.message === null ? settled : withEphemeral(settled, update.message)
  // The user's other devices did not start the interaction, so they show no form.
  if (update.modal === null || ask === undefined) return answered
  return { ...answered, modal: { interactionId: update.id, modal: update.modal, ask } }
}

export function withoutEphemeral(state: InteractionsState, message: Message): InteractionsState {
  return withChannel(state, channelOf(message), (messages) => messages.filter(({ id }) => id !== message.id))
}

/** Adds an ephemeral message, or replaces it in its position. Ignores public responses, which arrive as messages of the channel. */
function withEphemeral(state: InteractionsState, message: Message): InteractionsState {
  if ((message.flags & MessageFlag.Ephemeral) === 0) return state
  return withChannel(state, channelOf(message), (messages) => {
    const index = messages.findIndex(({ id }) => id === message.id)
    return index === -1 ? [...messages, message].slice(-MAX_EPHEMERALS) : messages.with(index, message)
  })
}

function withoutAnswers(state: InteractionsState, interactionId: string): InteractionsState {
  return Object.keys(state.ephemerals).reduce(
    (before, channelId) =>
      withChannel(before, channelId, (messages) =>
        messages.filter(({ interaction }) => interaction?.id !== interactionId),
      ),
    state,
  )
}

function withChannel(
  state: InteractionsState,
  channelId: string,
  change: (messages: readonly Message[]) => readonly Message[],
): InteractionsState {
  const messages = change(state.ephemerals[channelId] ?? [])
  return { ...state, ephemerals: { ...state.ephemerals, [channelId]: messages } }
}

function channelOf({ room_id, conversation_id }: Message): string {
  return room_id ?? conversation_id ?? ''
}
