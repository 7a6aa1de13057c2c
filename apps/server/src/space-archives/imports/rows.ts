import type { SpaceImport } from '@foyer/protocol/space-imports'

export interface ImportRow extends Omit<SpaceImport, 'failure' | 'space_id'> {
  /** The space that the latest run builds, or has built. */
  built_id: string | null
  user_id: string
  failure: string | null
  failure_message: string | null
  attempts: number
  attachment_id: string | null
}

/** Returns the public form of an import. The id of an unfinished space is omitted. */
export function importOf(row: ImportRow): SpaceImport {
  const { id, state, failure, failure_message, built_id, result, created_at, expires_at } = row
  return {
    id,
    state,
    failure: failure === null ? null : { code: failure, message: failure_message ?? '' },
    space_id: state === 'done' ? built_id : null,
    result,
    created_at,
    expires_at,
  }
}
