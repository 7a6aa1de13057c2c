import { CloseCode } from '@foyer/protocol/gateway'
import type { Connection } from '../connections/connection.ts'

/** Closes connections whose clients come back only if they still may. */
export function askAgain(connections: Iterable<Connection>): void {
  closeAll(connections, CloseCode.Unknown, 'the session changed')
}

export function closeAll(connections: Iterable<Connection>, code: number, reason: string): void {
  for (const connection of [...connections]) connection.close(code, reason)
}
