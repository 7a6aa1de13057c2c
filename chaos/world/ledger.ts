import type { Findings } from '../audit/findings.ts'

export type Outcome = 'open' | 'acknowledged' | 'refused' | 'unclear'

/** A message, from the moment before it is sent. Times are on the clock of the run. */
export interface Entry {
  number: number
  channelId: string
  authorId: string
  content: string
  begunAt: number
  outcome: Outcome
  ackedAt?: number
  /** From the answer or an event, whichever came first. */
  id?: string
  seq?: number
  /** Start times of edits, by edit number. The content of an edit contains its number. */
  edits: number[]
  /** The last edit with an answer. */
  ackedEdit?: number
  deletion?: 'asked' | 'acknowledged'
  /** By emoji and user: the last request, and whether its first try was answered. */
  reactions: Map<string, { isOn: boolean; isSure: boolean }>
  /** An edit was repeated, and its first request may have been executed last. */
  hasDoubtfulEdit: boolean
}

/** Fields on which the server and all clients must agree. */
export interface Seen {
  id: string
  seq: number
  channelId: string
  authorId: string
  content: string
}

/** Every message that was sent, or attempted. */
export class Ledger {
  readonly entries: Entry[] = []
  readonly #byId = new Map<string, Entry>()
  readonly #findings: Findings
  acked = 0

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** Records a message before its request. */
  begin(channelId: string, authorId: string, text: string): Entry {
    const number = this.entries.length
    const content = `#${number} ${text}`
    const entry: Entry = {
      number,
      channelId,
      authorId,
      content,
      begunAt: performance.now(),
      outcome: 'open',
      edits: [],
      hasDoubtfulEdit: false,
      reactions: new Map(),
    }
    this.entries.push(entry)
    return entry
  }

  acknowledge(entry: Entry, seen: Seen): void {
    this.#note(entry, seen, 'answer')
    if (entry.outcome === 'acknowledged') return
    entry.outcome = 'acknowledged'
    entry.ackedAt = performance.now()
    this.acked += 1
    if (seen.content !== entry.content)
      this.#findings.add('altered', 'an answer has other content', { entry, seen })
  }

  /** Records a received message. @returns undefined for one that was never sent */
  receive(seen: Seen, listener: string): Entry | undefined {
    const entry = this.find(seen.content)
    if (entry === undefined) {
      this.#findings.add('altered', 'a message was delivered that was never sent', { seen, listener })
      return undefined
    }
    this.#note(entry, seen, listener)
    if (seen.content !== entry.content)
      this.#findings.add('altered', 'a message was delivered with other content', { entry, seen, listener })
    return entry
  }

  get(id: string): Entry | undefined {
    return this.#byId.get(id)
  }

  /** Finds a message by the number at the beginning of its content. */
  find(content: string): Entry | undefined {
    const number = /^#(\d+) /.exec(content)?.[1]
    return number === undefined ? undefined : this.entries[Number(number)]
  }

  #note(entry: Entry, seen: Seen, by: string): void {
    if (entry.id === undefined) {
      entry.id = seen.id
      entry.seq = seen.seq
      this.#byId.set(seen.id, entry)
    }
    if (entry.id !== seen.id || entry.seq !== seen.seq)
      this.#findings.add('doubled', 'a message has two ids or numbers', { entry, seen, by })
    if (entry.channelId !== seen.channelId || entry.authorId !== seen.authorId)
      this.#findings.add('altered', 'a message is in another channel, or by another author', {
        entry,
        seen,
        by,
      })
  }
}

/** The content after the edit with that number. */
export function editedContent(entry: Entry, edit: number): string {
  return `${entry.content.split(' ', 1)[0]} edit ${edit}`
}

/** Returns the number of the edit that made this content, if one did. */
export function editIn(content: string): number | undefined {
  const edit = /^#\d+ edit (\d+)$/.exec(content)?.[1]
  return edit === undefined ? undefined : Number(edit)
}
