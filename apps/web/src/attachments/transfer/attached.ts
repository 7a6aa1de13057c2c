import type { CreateMessageBody } from '@foyer/protocol/messages'
import { ApiError } from '@foyer/sdk/rest'
import type { UploadsState } from './upload-state.ts'

/**
 * Returns the fields of a request that sends files with a message.
 * @param uploadIds the uploads in this browser
 * @param attachmentIds their ids on the server, in the same order
 */
export function attachedFields(
  { uploads }: UploadsState,
  uploadIds: readonly string[],
  attachmentIds: readonly string[],
): Pick<CreateMessageBody, 'attachment_ids' | 'attachments'> {
  const attachments = attachmentIds.flatMap((id, index) => {
    const { description = null } = uploads[uploadIds[index] ?? ''] ?? {}
    return description === null ? [] : [{ id, description }]
  })
  return {
    ...(attachmentIds.length > 0 && { attachment_ids: [...attachmentIds] }),
    ...(attachments.length > 0 && { attachments }),
  }
}

/** Returns the uploads that were swept after a day without a message; all of them if the error does not name any. */
export function expiredUploads(
  uploadIds: readonly string[],
  attachmentIds: readonly string[],
  error: unknown,
): readonly string[] {
  const isExpired =
    error instanceof ApiError && ['unknown_attachment', 'upload_incomplete'].includes(error.code ?? '')
  if (!isExpired) return []
  const { unknownAttachments: gone } = error
  if (gone.length === 0) return uploadIds
  return uploadIds.filter((_id, index) => gone.includes(attachmentIds[index] ?? ''))
}
