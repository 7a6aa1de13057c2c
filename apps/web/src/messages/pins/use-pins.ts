import type { Events } from '@foyer/protocol/events'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { channelOfEvent } from '#src/store/channels.ts'

/** Returns a channel's pinned messages, latest pin first, and keeps them up to date. */
export function usePins({ id, spaceId }: Pick<OpenChannel, 'id' | 'spaceId'>) {
  const ask = useCallback(
    (client: Client, options: CallOptions) =>
      client.pins.list(spaceId === null ? { conversation: id } : id, options),
    [id, spaceId],
  )
  const { answer, again, change } = useAnswer(ask)

  useEvent(
    'ROOM_PINS_UPDATE',
    useCallback((pins: Events['ROOM_PINS_UPDATE']) => channelOfEvent(pins) === id && again(), [id, again]),
  )
  useEvent(
    'MESSAGE_UPDATE',
    useCallback(
      (updated: Events['MESSAGE_UPDATE']) => {
        change((pins) => pins.map((message) => (message.id === updated.id ? updated : message)))
      },
      [change],
    ),
  )
  useEvent(
    'MESSAGE_DELETE',
    useCallback(
      (gone: Events['MESSAGE_DELETE']) =>
        change((pins) => pins.filter(({ id: pinned }) => pinned !== gone.id)),
      [change],
    ),
  )
  return { answer, again }
}
