import type { Events } from '@foyer/protocol/events'
import type { Webhook } from '@foyer/protocol/webhooks'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'

interface Webhooks {
  /** Undefined before they are known. */
  readonly webhooks: readonly Webhook[] | undefined
  readonly error: string | null
  again(): void
  /** Takes in what was just saved; the gateway tells it too. */
  put(webhook: Webhook): void
  remove(webhookId: string): void
}

/** The webhooks of a space, or of one of its rooms, as they change. */
export function useWebhooks(spaceId: string, roomId: string | null): Webhooks {
  const ask = useCallback(
    (client: Client, options: CallOptions) =>
      roomId === null
        ? client.webhooks.listOfSpace(spaceId, options)
        : client.webhooks.listOfRoom(roomId, options),
    [spaceId, roomId],
  )
  const { answer, again, change } = useAnswer(ask)
  // The event tells that something changed, and not what: nobody hears the tokens but who asks.
  const onUpdate = useCallback(
    (updated: Events['SPACE_WEBHOOKS_UPDATE']) => {
      if (updated.space_id === spaceId && (roomId === null || updated.room_id === roomId)) again()
    },
    [spaceId, roomId, again],
  )
  useEvent('SPACE_WEBHOOKS_UPDATE', onUpdate)
  // A session that begins anew may have missed some.
  useEvent('READY', again)
  return {
    webhooks: answer.state === 'here' ? answer.value : undefined,
    error: answer.state === 'failed' ? answer.message : null,
    again,
    put: (webhook) => change((all) => withWebhook(all, webhook)),
    remove: (webhookId) => change((all) => all.filter(({ id }) => id !== webhookId)),
  }
}

/** In its old place, or at the end. */
function withWebhook(all: readonly Webhook[], webhook: Webhook): Webhook[] {
  return all.some(({ id }) => id === webhook.id)
    ? all.map((other) => (other.id === webhook.id ? webhook : other))
    : [...all, webhook]
}
