import { MAX_BODY_BYTES } from '@foyer/protocol/limits'
import { ApiError } from '@foyer/sdk/rest'
import { useCallback, useEffect, useReducer } from 'react'
import { PictureTooLarge } from '#src/images/image-words.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { useUnsavedChanges } from '#src/ui/dialogs/unsaved-changes.ts'
import type { ImageKind } from './image-kind.ts'
import { imageNameOf } from './image-names.ts'
import { changeQueue, emptyQueue, nextInQueue, type QueuedImage, type UploadQueue } from './upload-queue.ts'

interface Uploading {
  readonly queue: UploadQueue
  add(files: readonly File[]): void
  retry(id: string): void
  dismiss(id: string): void
}

/** Error codes that would fail every picture of the queue. */
const FOR_ALL = ['no_bucket', 'too_many_emojis', 'too_many_stickers', 'missing_permission']

/** Uploads files as emoji or stickers, one by one. Until all are uploaded, leaving asks for confirmation. */
export function useUploadQueue(space: SpaceEntry, kind: ImageKind): Uploading {
  const session = useSession()
  const [queue, change] = useReducer(changeQueue, emptyQueue)
  const next = nextInQueue(queue)
  useUnsavedChanges(queue.images.some(({ state }) => state !== 'failed'))

  useEffect(() => {
    if (next !== null) void send(next)
  })

  async function send({ id, file, name }: QueuedImage) {
    change({ type: 'begun', id })
    try {
      if (file.size > MAX_BODY_BYTES) throw new PictureTooLarge()
      await kind.create(session, space.id, { name, image: file })
      change({ type: 'finished', id })
    } catch (error) {
      const forAll = error instanceof ApiError && FOR_ALL.includes(error.code ?? '')
      change({ type: 'failed', id, error, forAll })
    }
  }

  function add(files: readonly File[]) {
    const taken = [...kind.listOf(space), ...queue.images].map(({ name }) => name)
    const images = files.map((file) => {
      const name = imageNameOf(file.name, taken, kind.noun)
      taken.push(name)
      return { id: name, file, name }
    })
    change({ type: 'added', images })
  }

  const retry = useCallback((id: string) => change({ type: 'retried', id }), [])
  const dismiss = useCallback((id: string) => change({ type: 'dismissed', id }), [])
  return { queue, add, retry, dismiss }
}
