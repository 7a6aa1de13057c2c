import { CloseCode } from '@foyer/protocol/gateway'
import type { Connection } from '../connections/connection.ts'

/** Closes the connections. Their clients reconnect, and are authenticated again. */
export function askAgain(connections: Iterable<Connection>): void {
  closeAll(connections, CloseCode.Unknown, 'the session changed')
}

export function closeAll(connections: Iterable<Connection>, code: number, reason: string): void {
  for (const connection of [...connections]) connection.close(code, reason)
}
