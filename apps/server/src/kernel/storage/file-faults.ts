import { StoreError, type StoreFault } from './object-store.ts'

const FAULTS: Record<string, StoreFault> = {
  ENOENT: 'missing',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EFBIG: 'full',
  EACCES: 'refused',
  EPERM: 'refused',
  EROFS: 'refused',
}

const MESSAGES: Record<StoreFault, string> = {
  missing: 'there is no such object',
  full: 'the storage folder does not accept a file of this size',
  disk_full: 'the disk of the storage folder is full',
  refused: 'the server may not read or write the storage folder',
  unreachable: 'the storage folder cannot be used',
}

/** Runs work that reads files, and throws StoreErrors. A missing file means that there is no such object. */
export async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asStoreError(error)
  }
}

/** Like `reading` for writes. A missing file or folder is a fault of the storage: the object itself need not exist. */
export async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const known = asStoreError(error)
    throw known.fault === 'missing' ? faultOf('unreachable', 'ENOENT', error) : known
  }
}

function asStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return faultOf(FAULTS[code] ?? 'unreachable', code, error)
}

/** Returns an error without paths. They stay in its cause, for the log. */
function faultOf(fault: StoreFault, code: string, cause: unknown): StoreError {
  return new StoreError(fault, `${MESSAGES[fault]}${code === '' ? '' : ` (${code})`}`, { cause })
}
