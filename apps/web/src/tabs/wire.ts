import type { UpdatePresence } from '@foyer/protocol/presence'
import type { ClientFrame, ServerFrame } from '@foyer/sdk/frames'

/** What tabs say to each other; all hear it. A link is one opening of a follower's, and never opened again. */
export type TabMessage =
  /** A tab has the lead from now on. */
  | { kind: 'leading'; leader: string }
  | { kind: 'open'; link: string; tab: string }
  | { kind: 'command'; link: string; frame: ClientFrame }
  | { kind: 'close'; link: string }
  | { kind: 'hurry'; link: string }
  /** For one link. Of a READY it says which events are part of it, so that none of them is told again. */
  | { kind: 'answer'; leader: string; link: string; frames: readonly ServerFrame[]; seen: readonly string[] }
  /** For all links that are ready. */
  | { kind: 'told'; leader: string; frame: ServerFrame }
  /** For one link, or all of this leader's. */
  | { kind: 'lost'; leader: string; link: string | null; code: number | null }
  /** How the user is seen, as all tabs together say it. */
  | { kind: 'presence'; leader: string; presence: UpdatePresence }

export interface TabChannel {
  post(message: TabMessage): void
  close(): void
}

/** Opens the channel between a session's tabs. */
export type OpenChannel = (listener: (message: TabMessage) => void) => TabChannel

/** Of the lock manager of a browser, what is used: the same among all tabs, and freed when one of them is gone. */
export interface TabLocks {
  request(name: string, options: LockOptions, granted: (lock: Lock | null) => unknown): Promise<unknown>
}
