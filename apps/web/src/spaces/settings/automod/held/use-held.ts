import type { HeldMessage } from '@foyer/protocol/automod'
import type { Events } from '@foyer/protocol/events'
import { Automod } from '@foyer/sdk/api/automod'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { withoutHeld } from './held-messages.ts'

export interface Held {
  /** Oldest first; undefined while loading. */
  readonly messages: readonly HeldMessage[] | undefined
  /** Error message if the list could not be loaded. */
  readonly error: string | null
  again(): void
  /** Removes a message that was just decided, before its event arrives. */
  remove(heldId: string): void
}

/** The messages of a space that wait for review, kept up to date. */
export function useHeld(spaceId: string): Held {
  const ask = useCallback(
    (client: Client, options: CallOptions) => client.api(Automod).listHeld(spaceId, options),
    [spaceId],
  )
  const { answer, again, change } = useAnswer(ask)
  const onUpdate = useCallback(
    ({ space_id }: Events['HELD_MESSAGES_UPDATE']) => {
      if (space_id === spaceId) again()
    },
    [spaceId, again],
  )
  // The event contains no messages, because not everyone who receives it may view their rooms.
  useEvent('HELD_MESSAGES_UPDATE', onUpdate)
  // Events may have been missed while disconnected.
  useEvent('READY', again)
  return {
    messages: answer.state === 'here' ? answer.value : undefined,
    error: answer.state === 'failed' ? answer.message : null,
    again,
    remove: (heldId) => change((messages) => withoutHeld(messages, heldId)),
  }
}
