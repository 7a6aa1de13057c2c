import { ApiError, type ErrorCode } from '#src/kernel/errors.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import { StoreError } from '#src/kernel/storage/object-store.ts'

/**
 * What a storage did not do, as an answer of the API: its own words are for who manages it, not for everybody.
 * @throws ApiError 413 when the storage is full, 507 when the server's own disk is, else 503
 */
export async function asStoreAnswer<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // A body that breaks off half-way.
    if (error instanceof OutgoingError) throw new ApiError('storage_unavailable')
    if (!(error instanceof StoreError)) throw error
    throw new ApiError(codeOf(error))
  }
}

function codeOf({ fault }: StoreError): ErrorCode {
  if (fault === 'disk_full') return 'disk_full'
  return fault === 'full' ? 'storage_full' : 'storage_unavailable'
}
