import { ApiError } from '#src/kernel/errors.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import { StoreError } from '#src/kernel/storage/object-store.ts'

/**
 * What a storage did not do, as an answer of the API: its own words are for who manages it, not for everybody.
 * @throws ApiError 413 when the storage is full, else 503
 */
export async function asStoreAnswer<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // A body that breaks off half-way.
    if (error instanceof OutgoingError) throw new ApiError('storage_unavailable')
    if (!(error instanceof StoreError)) throw error
    throw new ApiError(error.fault === 'full' ? 'storage_full' : 'storage_unavailable')
  }
}
