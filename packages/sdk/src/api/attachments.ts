import type {
  Attachment,
  CreateUploadBody,
  SignedUrl,
  StorageStatus,
  Upload,
} from '@foyer/protocol/attachments'
import { type ChannelAddress, channelPath } from '../channel-path.ts'
import { type CallOptions, path, type Rest } from '../rest.ts'

export class Attachments {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Reserves space for a file, to be sent to `upload` and then named in a message's `attachment_ids`. */
  create(channel: ChannelAddress, body: CreateUploadBody, options?: CallOptions): Promise<Upload> {
    const where = `${channelPath(channel)}/attachments`
    return this.#rest.request({ ...options, method: 'POST', path: where, body })
  }

  /** Cancels an upload of the caller that no message uses. */
  cancel(channel: ChannelAddress, attachmentId: string, options?: CallOptions): Promise<void> {
    const where = channelPath(channel) + path`/attachments/${attachmentId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }

  /** Returns a new download address, valid for 24 hours. */
  resign(attachmentId: string, options?: CallOptions): Promise<SignedUrl> {
    const where = path`/attachments/${attachmentId}/resign`
    return this.#rest.request({ ...options, method: 'POST', path: where, idempotent: true })
  }

  /** Lists the image files of the space's emojis and stickers. Needs ManageSpaceAttachments. */
  listOfSpace(spaceId: string, options?: CallOptions): Promise<Attachment[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/attachments` })
  }

  storageOf(spaceId: string, options?: CallOptions): Promise<StorageStatus> {
    const where = path`/api/spaces/${spaceId}/attachments/storage`
    return this.#rest.request({ ...options, method: 'GET', path: where })
  }

  /** Deletes the image and the emojis and stickers made from it. */
  deleteOfSpace(spaceId: string, attachmentId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/spaces/${spaceId}/attachments/${attachmentId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }

  /** Deletes all emojis and stickers, with their images. */
  deleteAllOfSpace(spaceId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/spaces/${spaceId}/attachments`,
    })
  }
}
