/** A picture queued for upload as an emoji or sticker. */
export interface QueuedImage {
  readonly id: string
  readonly file: File
  readonly name: string
  readonly state: 'waiting' | 'sending' | 'failed'
  /** Cause of the failure; null otherwise. */
  readonly error: unknown
}

export interface UploadQueue {
  readonly images: readonly QueuedImage[]
  /** Finished or failed pictures of the current batch. */
  readonly done: number
  readonly total: number
}

export const emptyQueue: UploadQueue = { images: [], done: 0, total: 0 }

export type QueueChange =
  | { readonly type: 'added'; readonly images: readonly Pick<QueuedImage, 'id' | 'file' | 'name'>[] }
  | { readonly type: 'begun' | 'finished' | 'dismissed' | 'retried'; readonly id: string }
  | { readonly type: 'failed'; readonly id: string; readonly error: unknown; readonly forAll: boolean }

export function changeQueue(queue: UploadQueue, change: QueueChange): UploadQueue {
  if (change.type === 'added') return withAdded(queue, change.images)
  if (change.type === 'failed') return withFailed(queue, change)
  const { id, type } = change
  if (type === 'begun') return withState(queue, id, 'sending')
  if (type === 'retried') return { ...withState(queue, id, 'waiting'), ...withTotal(queue, 1) }
  const images = queue.images.filter((image) => image.id !== id)
  return type === 'finished' ? { ...queue, images, done: queue.done + 1 } : { ...queue, images }
}

/** The picture to upload next. Uploads run one at a time, in order. */
export function nextInQueue({ images }: UploadQueue): QueuedImage | null {
  if (images.some(({ state }) => state === 'sending')) return null
  return images.find(({ state }) => state === 'waiting') ?? null
}

function withAdded(
  queue: UploadQueue,
  added: readonly Pick<QueuedImage, 'id' | 'file' | 'name'>[],
): UploadQueue {
  const images = added.map((image) => ({ ...image, state: 'waiting', error: null }) as const)
  return { images: [...queue.images, ...images], ...withTotal(queue, added.length) }
}

/** Adds pictures to the counts of the current batch. If that is done, starts new counts. */
function withTotal({ done, total }: UploadQueue, added: number): Pick<UploadQueue, 'done' | 'total'> {
  return done === total ? { done: 0, total: added } : { done, total: total + added }
}

/** Fails the waiting pictures too if the error would affect them all. */
function withFailed(
  queue: UploadQueue,
  { id, error, forAll }: QueueChange & { type: 'failed' },
): UploadQueue {
  const fails = (image: QueuedImage) => image.id === id || (forAll && image.state === 'waiting')
  const images = queue.images.map((image) =>
    fails(image) ? ({ ...image, state: 'failed', error } as const) : image,
  )
  return { ...queue, images, done: queue.done + queue.images.filter(fails).length }
}

function withState({ images, ...queue }: UploadQueue, id: string, state: 'sending' | 'waiting'): UploadQueue {
  return {
    ...queue,
    images: images.map((image) => (image.id === id ? { ...image, state, error: null } : image)),
  }
}
