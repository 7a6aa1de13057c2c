import type { Attachment, StorageStatus } from '@foyer/protocol/attachments'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import type { SpaceEntry } from '#src/store/state.ts'

interface SpaceFiles {
  /** Newest first; undefined while loading. */
  readonly files: readonly Attachment[] | undefined
  readonly status: StorageStatus | undefined
  readonly error: string | null
  again(): void
}

/** Delay before reloading: changes often arrive in bursts. */
const ASK_AGAIN_MS = 700

/** The emoji and sticker files of a space, kept up to date, and its total storage use. */
export function useSpaceFiles(space: SpaceEntry): SpaceFiles {
  const { id: spaceId, emojis, stickers } = space
  const ask = useCallback(
    async (client: Client, options: CallOptions) => {
      const [files, status] = await Promise.all([
        client.attachments.listOfSpace(spaceId, options),
        client.attachments.storageOf(spaceId, options),
      ])
      return { files, status }
    },
    [spaceId],
  )
  const { answer, again } = useAnswer(ask)
  useEvent('READY', again)

  const shownIds = useMemo(
    () => new Set([...emojis, ...stickers].map((image) => image.attachment_id)),
    [emojis, stickers],
  )
  const idList = [...shownIds].sort().join()
  const askedFor = useRef(idList)
  useEffect(() => {
    if (askedFor.current === idList) return
    askedFor.current = idList
    const timer = setTimeout(again, ASK_AGAIN_MS)
    return () => clearTimeout(timer)
  }, [idList, again])

  const answered = answer.state === 'here' ? answer.value : undefined
  const files = useMemo(
    // Hides deleted files immediately, before the list is reloaded.
    () => answered?.files.filter(({ id }) => shownIds.has(id)).toSorted(byAge),
    [answered, shownIds],
  )
  const error = answer.state === 'failed' ? answer.message : null
  return { files, status: answered?.status, error, again }
}

function byAge(a: Attachment, b: Attachment): number {
  return a.id < b.id ? 1 : -1
}
