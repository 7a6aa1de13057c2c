import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { NetworkError } from '@foyer/sdk/rest'
import type { UploadOptions } from '@foyer/sdk/uploads'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { t } from '#src/language/texts.ts'
import { channelIdOf } from '#src/store/channels.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { Retry } from '#src/ui/time/retry.ts'
import { cleanName } from './file-check.ts'
import type { Size } from './gallery-layout.ts'
import { kindOf } from './kinds.ts'
import {
  type FileUpload,
  isLost,
  keptUpload,
  noUploads,
  type Progress,
  type StoredFile,
  type UploadsState,
  uploadOf,
  withDrafted,
  withoutUploads,
  withUpload,
  withUploads,
} from './upload-state.ts'

export interface UploadTools {
  /** Sends the file directly to the storage. Resolves with the attachment's id. */
  upload(channel: ChannelAddress, file: File, options: UploadOptions): Promise<string>
  /** Deletes a stored file that no message has claimed. */
  cancel(channel: ChannelAddress, attachmentId: string): Promise<void>
  /** Measures a file in pixels. Resolves with null if it has no size or cannot be read. */
  measure(file: File, preview: string): Promise<Size | null>
}

/** Concurrent uploads. Browsers open six connections to one server, and the rest of the client needs some. */
const MAX_AT_ONCE = 3

/** Error text. It does not mention the server, which may be reachable while its storage is not. */
const LOST = t('Upload interrupted. We’ll keep trying.')

/** Thrown when the files of a message cannot be sent. `message` is the reason, for the user. */
export class UploadFailure extends Error {
  override readonly name = 'UploadFailure'
}

/** The file, with the means to abort the current attempt or cancel the next. */
interface Job {
  readonly file: File
  abort: AbortController
  readonly retry: Retry
}

/** Uploads files directly to the storage as soon as they are chosen. */
export class Uploads {
  readonly api: StoreApi<UploadsState> = createStore(() => noUploads)
  readonly #tools: UploadTools
  readonly #jobs = new Map<string, Job>()
  #count = 0
  #running = 0
  #isClosed = false
  #isVisible = (_channelId: string) => true

  constructor(tools: UploadTools) {
    this.#tools = tools
  }

  /**
   * Adds files to a draft and starts to upload them.
   * @param draftKey key of the draft; the channel's own by default
   */
  add(channel: ChannelAddress, files: readonly File[], draftKey = channelIdOf(channel)): void {
    // A recording may finish after the session has ended.
    if (this.#isClosed) return
    const added = files.map((file) => this.#open(channel, file))
    this.api.setState((state) => withDrafted(state, draftKey, added), true)
    for (const upload of added) void this.#measure(upload)
    this.#sendNext()
  }

  /** Restores the stored files of a message from before a reload. Returns the ids of the uploads. */
  restore(channel: ChannelAddress, files: readonly StoredFile[]): readonly string[] {
    const restored = files.map((file) => keptUpload(this.#nextId(), channel, file))
    this.api.setState((state) => withUploads(state, restored), true)
    return restored.map(({ id }) => id)
  }

  /** Removes the uploads from a draft and returns their ids, for a message. */
  take(draftKey: string): readonly string[] {
    const ids = this.api.getState().drafts[draftKey] ?? []
    this.api.setState(({ drafts }) => ({ drafts: { ...drafts, [draftKey]: [] } }))
    return ids
  }

  /**
   * Resolves with the ids of the attachments once all are stored.
   * @throws {UploadFailure} when one of the uploads is refused or discarded
   */
  stored(ids: readonly string[]): Promise<string[]> {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>()
    const look = ({ uploads }: UploadsState) => {
      try {
        const stored = ids.flatMap((id) => storedId(uploads[id]))
        if (stored.length === ids.length) resolve(stored)
      } catch (failure) {
        reject(failure)
      }
    }
    const stop = this.api.subscribe(look)
    look(this.api.getState())
    return promise.finally(stop)
  }

  /** Sets the alternative text of a file in a draft. An empty text removes it. */
  describe(id: string, text: string): void {
    const description = text.trim() || null
    this.api.setState((state) => withUpload(state, id, { description }), true)
  }

  /** Retries all failed uploads among the given ids. */
  retry(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.api.getState().uploads[id]?.progress.kind === 'failed') this.#show(id, { kind: 'queued' })
    }
    this.#sendNext()
  }

  /** Retries uploads that lost their connection, after reconnecting. */
  retryLost(): void {
    const uploads = Object.values(this.api.getState().uploads)
    this.retry(uploads.flatMap(({ id, progress }) => (isLost(progress) ? id : [])))
  }

  /** Marks uploads as deleted from the storage. `retry` uploads them again if this page still has the files. */
  expire(ids: readonly string[]): void {
    const error = t('The upload expired. Attach the file again.')
    for (const id of ids) {
      const isHere = this.#jobs.has(id)
      this.#show(id, isHere ? { kind: 'failed', error, lost: false } : { kind: 'swept', error })
    }
  }

  /** Stops uploads and deletes them, here and in the storage. */
  discard(ids: readonly string[]): void {
    const { uploads } = this.api.getState()
    for (const id of ids) this.#giveUp(uploads[id])
    this.#forget(ids)
  }

  /** Uploads only to visible channels. Uploads to hidden channels wait, because they may become visible again. */
  sendWithin(isVisible: (channelId: string) => boolean): void {
    this.#isVisible = isVisible
    for (const { id, channel, progress } of Object.values(this.api.getState().uploads)) {
      if (progress.kind !== 'sending' || isVisible(channelIdOf(channel))) continue
      this.#jobs.get(id)?.abort.abort()
      this.#show(id, { kind: 'queued' })
    }
    this.#sendNext()
  }

  /** Removes the uploads to a deleted channel. The server deletes the stored files with the channel. */
  leave(channelId: string): void {
    const left = Object.values(this.api.getState().uploads).filter(
      ({ channel }) => channelIdOf(channel) === channelId,
    )
    this.#forget(left.map(({ id }) => id))
  }

  /** Removes uploads after their message was sent. Those with a preview stay until the real picture has loaded. */
  settle(ids: readonly string[]): void {
    const { uploads } = this.api.getState()
    for (const id of ids) this.#stop(id)
    this.#forget(ids.filter((id) => uploads[id]?.preview === null))
  }

  /** Removes a preview after the real picture has loaded. */
  release(attachmentId: string): void {
    const upload = uploadOf(this.api.getState(), attachmentId)
    // An upload from before a reload has no preview, and is removed by `settle`.
    if (upload?.preview && !this.#jobs.has(upload.id)) this.#forget([upload.id])
  }

  close(): void {
    this.#isClosed = true
    this.#forget(Object.keys(this.api.getState().uploads))
  }

  #open(channel: ChannelAddress, file: File): FileUpload {
    const id = this.#nextId()
    const isShown = ['image', 'video', 'audio'].includes(kindOf(file.type))
    const filename = cleanName(file.name)
    const named = new File([file], filename, { type: file.type })
    const abort = new AbortController()
    this.#jobs.set(id, { file: named, abort, retry: new Retry() })
    return {
      id,
      channel,
      filename,
      content_type: file.type,
      size_bytes: file.size,
      description: null,
      width: null,
      height: null,
      preview: isShown ? URL.createObjectURL(file) : null,
      progress: { kind: 'queued' },
    }
  }

  #nextId(): string {
    this.#count += 1
    return `upload-${this.#count}`
  }

  async #measure({ id, preview, content_type }: FileUpload): Promise<void> {
    const job = this.#jobs.get(id)
    if (preview === null || job === undefined) return
    const size = await this.#tools.measure(job.file, preview)
    const isNoPicture = size === null && kindOf(content_type) === 'image'
    if (isNoPicture) URL.revokeObjectURL(preview)
    // A picture that this browser cannot read is shown as a plain file: the server will not recognize the picture, either.
    const facts = isNoPicture ? { preview: null, content_type: 'application/octet-stream' } : size
    if (facts !== null) this.api.setState((state) => withUpload(state, id, facts), true)
  }

  #sendNext(): void {
    const queued = Object.values(this.api.getState().uploads).filter(
      ({ progress, channel }) => progress.kind === 'queued' && this.#isVisible(channelIdOf(channel)),
    )
    for (const upload of queued.slice(0, MAX_AT_ONCE - this.#running)) {
      const job = this.#jobs.get(upload.id)
      if (job === undefined) continue
      this.#running += 1
      this.#show(upload.id, { kind: 'sending', sent_bytes: 0 })
      void this.#send(upload, job).finally(() => {
        this.#running -= 1
        this.#sendNext()
      })
    }
  }

  async #send({ id, channel }: FileUpload, job: Job): Promise<void> {
    job.retry.cancel()
    job.abort = new AbortController()
    const { signal } = job.abort
    const onProgress = (sent_bytes: number) => this.#show(id, { kind: 'sending', sent_bytes })
    try {
      const attachment_id = await this.#tools.upload(channel, job.file, { signal, onProgress })
      // The upload was removed just as its file had been stored.
      if (signal.aborted) return this.#delete(channel, attachment_id)
      this.#show(id, { kind: 'stored', attachment_id })
    } catch (error) {
      if (signal.aborted) return
      const lost = error instanceof NetworkError
      if (lost) job.retry.plan(() => this.retry([id]))
      this.#show(id, { kind: 'failed', error: lost ? LOST : errorMessage(error), lost })
    }
  }

  /** Deletes a stored file that no message will claim, which would otherwise take up storage for a day. */
  #giveUp(upload: FileUpload | undefined): void {
    if (upload?.progress.kind === 'stored') this.#delete(upload.channel, upload.progress.attachment_id)
  }

  #delete(channel: ChannelAddress, attachmentId: string): void {
    this.#tools.cancel(channel, attachmentId).catch(() => undefined)
  }

  #show(id: string, progress: Progress): void {
    this.api.setState((state) => withUpload(state, id, { progress }), true)
  }

  #forget(ids: readonly string[]): void {
    const { uploads } = this.api.getState()
    for (const id of ids) {
      const preview = uploads[id]?.preview ?? null
      if (preview !== null) URL.revokeObjectURL(preview)
      this.#stop(id)
    }
    this.api.setState((state) => withoutUploads(state, ids), true)
  }

  #stop(id: string): void {
    const job = this.#jobs.get(id)
    job?.abort.abort()
    job?.retry.cancel()
    this.#jobs.delete(id)
  }
}

/** @throws {UploadFailure} */
function storedId(upload: FileUpload | undefined): string[] {
  if (upload === undefined) throw new UploadFailure(t('An attachment was removed.'))
  const { progress, filename } = upload
  const isGone = progress.kind === 'swept' || (progress.kind === 'failed' && !progress.lost)
  if (isGone) throw new UploadFailure(`${filename}: ${progress.error}`)
  return progress.kind === 'stored' ? [progress.attachment_id] : []
}
