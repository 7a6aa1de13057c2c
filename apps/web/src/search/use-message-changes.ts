import type { Events } from '@foyer/protocol/events'
import type { Message } from '@foyer/protocol/messages'
import { useCallback } from 'react'
import { useEvent } from '#src/session/use-event.ts'

type Change = (edit: (messages: readonly Message[]) => readonly Message[]) => void

/** Keeps messages up to date: edits replace them, deletions remove them. */
export function useMessageChanges(change: Change): void {
  useEvent(
    'MESSAGE_UPDATE',
    useCallback(
      (updated: Events['MESSAGE_UPDATE']) =>
        change((messages) => messages.map((message) => (message.id === updated.id ? updated : message))),
      [change],
    ),
  )
  useEvent(
    'MESSAGE_DELETE',
    useCallback(
      (gone: Events['MESSAGE_DELETE']) =>
        change((messages) => messages.filter((message) => message.id !== gone.id)),
      [change],
    ),
  )
  useEvent(
    'MESSAGE_DELETE_BULK',
    useCallback(
      (gone: Events['MESSAGE_DELETE_BULK']) =>
        change((messages) => messages.filter((message) => !gone.ids.includes(message.id))),
      [change],
    ),
  )
}
