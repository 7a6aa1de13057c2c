import type { Events } from '@foyer/protocol/events'
import type { Message, Reaction } from '@foyer/protocol/messages'
import { channelOfEvent } from '../channels.ts'
import type { State } from '../state.ts'
import { withTimeline } from './timeline.ts'

/** Events do not contain whether the user has reacted, so `me` is computed here. */
export const reactionReducers = {
  MESSAGE_REACTION_ADD: (state: State, added: Events['MESSAGE_REACTION_ADD']): State =>
    withReactions(state, added, (reactions) => {
      const known = reactions.find(({ emoji }) => emoji === added.emoji)
      const me = added.user_id === state.me?.id || known?.me === true
      const reaction = { emoji: added.emoji, count: added.count, me }
      if (known === undefined) return [...reactions, reaction]
      return reactions.map((other) => (other === known ? reaction : other))
    }),
  MESSAGE_REACTION_REMOVE: (state: State, removed: Events['MESSAGE_REACTION_REMOVE']): State =>
    withReactions(state, removed, (reactions) =>
      reactions
        .map((reaction) => {
          if (reaction.emoji !== removed.emoji) return reaction
          const me = reaction.me && removed.user_id !== state.me?.id
          return { ...reaction, count: removed.count, me }
        })
        .filter(({ count }) => count > 0),
    ),
  MESSAGE_REACTION_CLEAR: (state: State, cleared: Events['MESSAGE_REACTION_CLEAR']): State =>
    withReactions(state, cleared, (reactions) =>
      cleared.emoji === null ? [] : reactions.filter(({ emoji }) => emoji !== cleared.emoji),
    ),
}

/** Adds the user's known reactions to a message from an event. */
export function withOwnReactions(message: Message, held: Pick<Message, 'reactions'> | undefined): Message {
  const own = new Set(held?.reactions.filter(({ me }) => me).map(({ emoji }) => emoji))
  if (own.size === 0) return message
  const reactions = message.reactions.map((reaction) => ({
    ...reaction,
    me: reaction.me || own.has(reaction.emoji),
  }))
  return { ...message, reactions }
}

function withReactions(
  state: State,
  target: Events['MESSAGE_REACTION_CLEAR'],
  change: (reactions: readonly Reaction[]) => Reaction[],
): State {
  return withTimeline(state, channelOfEvent(target), (timeline) => {
    const index = timeline.messages.findIndex(({ id }) => id === target.message_id)
    const message = timeline.messages[index]
    if (message === undefined) return timeline
    const changed = { ...message, reactions: change(message.reactions) }
    return { ...timeline, messages: timeline.messages.with(index, changed) }
  })
}
