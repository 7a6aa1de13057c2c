import { ApiError, type ErrorCode } from '#src/kernel/errors.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import { StoreError } from '#src/kernel/storage/object-store.ts'

/**
 * Turns a storage failure into an API error. The storage's own message is only for the space's managers.
 * @throws ApiError 413 if the storage is full, 507 if the server's own disk is full, otherwise 503
 */
export async function asStoreAnswer<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // Thrown when the body of the request was interrupted.
    if (error instanceof OutgoingError) throw new ApiError('storage_unavailable')
    if (!(error instanceof StoreError)) throw error
    throw new ApiError(codeOf(error))
  }
}

function codeOf({ fault }: StoreError): ErrorCode {
  if (fault === 'disk_full') return 'disk_full'
  return fault === 'full' ? 'storage_full' : 'storage_unavailable'
}
