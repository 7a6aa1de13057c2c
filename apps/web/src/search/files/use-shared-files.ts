import type { Events } from '@foyer/protocol/events'
import type { Message } from '@foyer/protocol/messages'
import { useCallback, useEffect, useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { useEvent } from '#src/session/use-event.ts'
import { type SearchScope, useSearch } from '../use-search.ts'
import { askedFor, filesIn, inSight, isInRoom, isShared, type SharedKind } from './shared-files.ts'

/** Number of files that fill a panel. Up to this number, further pages are loaded without scrolling. */
const ENOUGH = 24
/** Maximum messages searched to fill the panel: a room may have thousands of pictures and two documents. */
const MAX_LOOKED_THROUGH = 250

/**
 * Returns the messages with files or links in a room, conversation or space, newest first, and keeps them up to date.
 * The server searches for them, so it returns only messages that the user may view.
 * @param roomId null for all rooms
 */
export function useSharedFiles(scope: SearchScope, roomId: string | null, kind: SharedKind) {
  const { found, search, more, change } = useSearch(scope)
  const again = useCallback(() => void search(askedFor(kind, roomId)), [search, kind, roomId])
  useEffect(again, [again])
  useEvent('READY', again)
  useEvent(
    'MESSAGE_CREATE',
    useCallback(
      (message: Events['MESSAGE_CREATE']) => {
        const isHere = roomId === null ? isIn(scope, message) : isInRoom(message, roomId)
        if (isHere && isShared(message, kind)) change((messages) => withNew(messages, message))
      },
      [scope, roomId, kind, change],
    ),
  )
  const messages = useShown(found.state === 'here' ? found.messages : NONE)
  const files = useMemo(() => filesIn(messages, kind), [messages, kind])

  const count = kind === 'links' ? messages.length : files.length
  const isShort =
    found.state === 'here' &&
    found.cursor !== null &&
    found.error === null &&
    !found.isLoading &&
    count < ENOUGH &&
    found.messages.length < MAX_LOOKED_THROUGH
  useEffect(() => {
    if (isShort) void more()
  })

  return { found, messages, files, count, again, more: () => void more() }
}

const NONE: readonly Message[] = []

function isIn({ kind, id }: SearchScope, message: Message): boolean {
  return kind === 'space' ? message.space_id === id : message.conversation_id === id
}

function withNew(messages: readonly Message[], message: Message): readonly Message[] {
  return messages.some(({ id }) => id === message.id) ? messages : [message, ...messages]
}

/** Excludes messages of blocked people, and of rooms that the user can no longer view. */
function useShown(messages: readonly Message[]): readonly Message[] {
  const blocks = useAppState((state) => state.blocks)
  const conversations = useAppState((state) => state.conversations)
  const rooms = useAppState((state) => state.rooms)
  return useMemo(
    () => inSight({ blocks, conversations, rooms }, messages),
    [messages, blocks, conversations, rooms],
  )
}
