import type { Export, ExportKind } from '@foyer/protocol/exports'

/** The account or space of an export, and the person who asked for it. */
export interface Order {
  userId: string
  kind: ExportKind
  /** Id of the exported user or space. */
  subjectId: string
}

/** An order, and the session in which the person makes the request. */
export interface SessionOrder extends Order {
  sessionId: string
}

export interface ExportRow extends Export {
  user_id: string
  attempts: number
  attachment_id: string | null
}

/** Returns an export without internal fields. */
export function exportOf(row: ExportRow): Export {
  const { id, kind, subject_id, state, failure, size_bytes, created_at, ready_at, expires_at } = row
  return { id, kind, subject_id, state, failure, size_bytes, created_at, ready_at, expires_at }
}
