import type { Events } from '@foyer/protocol/events'
import type { Webhook } from '@foyer/protocol/webhooks'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'

interface Webhooks {
  /** Undefined until they have loaded. */
  readonly webhooks: readonly Webhook[] | undefined
  readonly error: string | null
  again(): void
  /** Applies a webhook that was just saved, before its event arrives. */
  put(webhook: Webhook): void
  remove(webhookId: string): void
}

/** Returns the webhooks of a space or room and keeps them up to date. */
export function useWebhooks(spaceId: string, roomId: string | null): Webhooks {
  const ask = useCallback(
    (client: Client, options: CallOptions) =>
      roomId === null
        ? client.webhooks.listOfSpace(spaceId, options)
        : client.webhooks.listOfRoom(roomId, options),
    [spaceId, roomId],
  )
  const { answer, again, change } = useAnswer(ask)
  // Loads the list again, because the event carries no webhook: tokens are only returned on request.
  const onUpdate = useCallback(
    (updated: Events['SPACE_WEBHOOKS_UPDATE']) => {
      if (updated.space_id === spaceId && (roomId === null || updated.room_id === roomId)) again()
    },
    [spaceId, roomId, again],
  )
  useEvent('SPACE_WEBHOOKS_UPDATE', onUpdate)
  // A new gateway session may have missed events.
  useEvent('READY', again)
  return {
    webhooks: answer.state === 'here' ? answer.value : undefined,
    error: answer.state === 'failed' ? answer.message : null,
    again,
    put: (webhook) => change((all) => withWebhook(all, webhook)),
    remove: (webhookId) => change((all) => all.filter(({ id }) => id !== webhookId)),
  }
}

/** Replaces a webhook in the list, or appends it. */
function withWebhook(all: readonly Webhook[], webhook: Webhook): Webhook[] {
  return all.some(({ id }) => id === webhook.id)
    ? all.map((other) => (other.id === webhook.id ? webhook : other))
    : [...all, webhook]
}
