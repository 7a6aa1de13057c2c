import type { Findings } from '../audit/findings.ts'

export type Outcome = 'open' | 'acknowledged' | 'refused' | 'unclear'

/** A message, from the moment it was about to be sent. Times are on the clock of the run. */
export interface Entry {
  number: number
  channelId: string
  authorId: string
  content: string
  begunAt: number
  outcome: Outcome
  ackedAt?: number
  /** As whoever came first said: the answer, or an event. */
  id?: string
  seq?: number
  /** When each edit was begun; the content of an edit says which it is. */
  edits: number[]
  /** The last edit of which there was an answer. */
  ackedEdit?: number
  deletion?: 'asked' | 'acknowledged'
  /** By emoji and user: what was asked last, and whether it was answered at the first try. */
  reactions: Map<string, { isOn: boolean; isSure: boolean }>
  /** An edit was asked for again: the first asking may have been carried out last. */
  hasDoubtfulEdit: boolean
}

/** What of a message everybody must agree about. */
export interface Seen {
  id: string
  seq: number
  channelId: string
  authorId: string
  content: string
}

/** Every message that was sent, or tried to be. */
export class Ledger {
  readonly entries: Entry[] = []
  readonly #byId = new Map<string, Entry>()
  readonly #findings: Findings
  acked = 0

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** Before the request. */
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
      this.#findings.add('altered', 'an answer has another content', { entry, seen })
  }

  /** Somebody heard that it was created. @returns undefined for what nobody sent */
  hear(seen: Seen, listener: string): Entry | undefined {
    const entry = this.find(seen.content)
    if (entry === undefined) {
      this.#findings.add('altered', 'a message was heard that nobody sent', { seen, listener })
      return undefined
    }
    this.#note(entry, seen, listener)
    if (seen.content !== entry.content)
      this.#findings.add('altered', 'a message was heard with another content', { entry, seen, listener })
    return entry
  }

  get(id: string): Entry | undefined {
    return this.#byId.get(id)
  }

  /** By the number that begins every content. */
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
      this.#findings.add('doubled', 'a message is there twice', { entry, seen, by })
    if (entry.channelId !== seen.channelId || entry.authorId !== seen.authorId)
      this.#findings.add('altered', 'a message is elsewhere, or of somebody else', { entry, seen, by })
  }
}

/** The content after the edit with that number. */
export function editedContent(entry: Entry, edit: number): string {
  return `${entry.content.split(' ', 1)[0]} edit ${edit}`
}

/** Which edit made this content; undefined when none did. */
export function editIn(content: string): number | undefined {
  const edit = /^#\d+ edit (\d+)$/.exec(content)?.[1]
  return edit === undefined ? undefined : Number(edit)
}
