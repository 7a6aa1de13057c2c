import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { NetworkError } from '@foyer/sdk/rest'
import type { UploadOptions } from '@foyer/sdk/uploads'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { t } from '#src/language/texts.ts'
import { Retry } from '#src/session/retry.ts'
import { channelIdOf } from '#src/store/channels.ts'
import { errorMessage } from '#src/ui/form-errors.ts'
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
  /** Sends the file past the server into the storage, and answers the attachment's id. */
  upload(channel: ChannelAddress, file: File, options: UploadOptions): Promise<string>
  /** Gives up a stored file that no message has. */
  cancel(channel: ChannelAddress, attachmentId: string): Promise<void>
  /** In pixels, or null for what has none or is not readable. */
  measure(file: File, preview: string): Promise<Size | null>
}

/** Browsers open six connections to one server, and the rest of the client needs some. */
const MAX_AT_ONCE = 3

/** The server may well be reached, and its storage not. */
const LOST = t('It did not get through yet.')

/** Why a message cannot have its files. */
export class UploadFailure extends Error {
  override readonly name = 'UploadFailure'
}

/** The file itself, and how to end its present attempt or the waiting for the next. */
interface Work {
  readonly file: File
  abort: AbortController
  readonly retry: Retry
}

/** The files on their way from this browser: past the server into the storage, as soon as they are chosen. */
export class Uploads {
  readonly api: StoreApi<UploadsState> = createStore(() => noUploads)
  readonly #tools: UploadTools
  readonly #works = new Map<string, Work>()
  #count = 0
  #running = 0
  #isClosed = false
  #isInSight = (_channelId: string) => true

  constructor(tools: UploadTools) {
    this.#tools = tools
  }

  /**
   * Takes files into a draft and begins to send them.
   * @param draftKey of the draft, which is that of the channel when omitted
   */
  add(channel: ChannelAddress, files: readonly File[], draftKey = channelIdOf(channel)): void {
    // A recording that ends with the session has nobody to belong to.
    if (this.#isClosed) return
    const added = files.map((file) => this.#open(channel, file))
    this.api.setState((state) => withDrafted(state, draftKey, added), true)
    for (const upload of added) void this.#measure(upload)
    this.#sendNext()
  }

  /** Takes up what a message from before a reload has in the storage, and answers the ids of the uploads. */
  restore(channel: ChannelAddress, files: readonly StoredFile[]): readonly string[] {
    const restored = files.map((file) => keptUpload(this.#nextId(), channel, file))
    this.api.setState((state) => withUploads(state, restored), true)
    return restored.map(({ id }) => id)
  }

  /** Hands over the draft's uploads, to a message. */
  take(draftKey: string): readonly string[] {
    const ids = this.api.getState().drafts[draftKey] ?? []
    this.api.setState(({ drafts }) => ({ drafts: { ...drafts, [draftKey]: [] } }))
    return ids
  }

  /**
   * Resolves with the ids of the attachments once all are stored.
   * @throws {UploadFailure} as soon as one is refused or was discarded
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

  /** Gives a file of a draft its alternative text, which goes with the message. An empty one is none. */
  describe(id: string, text: string): void {
    const description = text.trim() || null
    this.api.setState((state) => withUpload(state, id, { description }), true)
  }

  /** Sends again those of these that failed. */
  retry(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#progressOf(id)?.kind === 'failed') this.#show(id, { kind: 'queued' })
    }
    this.#sendNext()
  }

  /** Sends again what did not get through: for when the server is reached again. */
  retryLost(): void {
    const uploads = Object.values(this.api.getState().uploads)
    this.retry(uploads.flatMap(({ id, progress }) => (isLost(progress) ? id : [])))
  }

  /** Has them sent once more with the next `retry`, if they are still here: the storage has them no longer. */
  expire(ids: readonly string[]): void {
    const error = t('The storage does not have it any more.')
    for (const id of ids) {
      const isHere = this.#works.has(id)
      this.#show(id, isHere ? { kind: 'failed', error, lost: false } : { kind: 'swept', error })
    }
  }

  /** Stops and forgets them, here and in the storage. */
  discard(ids: readonly string[]): void {
    const { uploads } = this.api.getState()
    for (const id of ids) this.#giveUp(uploads[id])
    this.#forget(ids)
  }

  /** Sends to channels that are in sight alone. Others may come back: what is for them waits. */
  sendWithin(isInSight: (channelId: string) => boolean): void {
    this.#isInSight = isInSight
    for (const { id, channel, progress } of Object.values(this.api.getState().uploads)) {
      if (progress.kind !== 'sending' || isInSight(channelIdOf(channel))) continue
      this.#works.get(id)?.abort.abort()
      this.#show(id, { kind: 'queued' })
    }
    this.#sendNext()
  }

  /** After the channel was deleted, and with it what it has in the storage. */
  leave(channelId: string): void {
    const left = Object.values(this.api.getState().uploads).filter(
      ({ channel }) => channelIdOf(channel) === channelId,
    )
    this.#forget(left.map(({ id }) => id))
  }

  /** After the message with them was sent. Those with a preview stay until the picture itself is there. */
  settle(ids: readonly string[]): void {
    const { uploads } = this.api.getState()
    for (const id of ids) this.#stop(id)
    this.#forget(ids.filter((id) => uploads[id]?.preview === null))
  }

  /** The message's own picture is shown: its preview has served. */
  release(attachmentId: string): void {
    const upload = uploadOf(this.api.getState(), attachmentId)
    // One from before a reload has no preview, and is settled by its message alone.
    if (upload?.preview && !this.#works.has(upload.id)) this.#forget([upload.id])
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
    this.#works.set(id, { file: named, abort, retry: new Retry() })
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
    const work = this.#works.get(id)
    if (preview === null || work === undefined) return
    const size = await this.#tools.measure(work.file, preview)
    const isNoPicture = size === null && kindOf(content_type) === 'image'
    if (isNoPicture) URL.revokeObjectURL(preview)
    // Whatever its name says, it is shown as a file, as the server will find it to be one.
    const facts = isNoPicture ? { preview: null, content_type: 'application/octet-stream' } : size
    if (facts !== null) this.api.setState((state) => withUpload(state, id, facts), true)
  }

  #sendNext(): void {
    const queued = Object.values(this.api.getState().uploads).filter(
      ({ progress, channel }) => progress.kind === 'queued' && this.#isInSight(channelIdOf(channel)),
    )
    for (const upload of queued.slice(0, MAX_AT_ONCE - this.#running)) {
      const work = this.#works.get(upload.id)
      if (work === undefined) continue
      this.#running += 1
      this.#show(upload.id, { kind: 'sending', sent_bytes: 0 })
      void this.#send(upload, work).finally(() => {
        this.#running -= 1
        this.#sendNext()
      })
    }
  }

  async #send({ id, channel }: FileUpload, work: Work): Promise<void> {
    work.retry.cancel()
    work.abort = new AbortController()
    const { signal } = work.abort
    const onProgress = (sent_bytes: number) => this.#show(id, { kind: 'sending', sent_bytes })
    try {
      const attachment_id = await this.#tools.upload(channel, work.file, { signal, onProgress })
      this.#show(id, { kind: 'stored', attachment_id })
    } catch (error) {
      if (signal.aborted) return
      const lost = error instanceof NetworkError
      if (lost) work.retry.plan(() => this.retry([id]))
      this.#show(id, { kind: 'failed', error: lost ? LOST : errorMessage(error), lost })
    }
  }

  /** What nobody will claim need not wait for a day to be swept, and take up room until then. */
  #giveUp(upload: FileUpload | undefined): void {
    if (upload?.progress.kind !== 'stored') return
    this.#tools.cancel(upload.channel, upload.progress.attachment_id).catch(() => undefined)
  }

  #progressOf(id: string): Progress | undefined {
    return this.api.getState().uploads[id]?.progress
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
    const work = this.#works.get(id)
    work?.abort.abort()
    work?.retry.cancel()
    this.#works.delete(id)
  }
}

/** @throws {UploadFailure} */
function storedId(upload: FileUpload | undefined): string[] {
  if (upload === undefined) throw new UploadFailure(t('A file of it was taken away.'))
  const { progress, filename } = upload
  const isGone = progress.kind === 'swept' || (progress.kind === 'failed' && !progress.lost)
  if (isGone) throw new UploadFailure(`${filename}: ${progress.error}`)
  return progress.kind === 'stored' ? [progress.attachment_id] : []
}
