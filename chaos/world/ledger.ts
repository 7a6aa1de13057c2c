import type { Findings } from '../audit/findings.ts'
import { Threads } from './threads.ts'

export type Outcome = 'open' | 'acknowledged' | 'refused' | 'unclear'

/** A message, from the moment before it is sent. Times are on the clock of the run. */
export interface Entry {
  number: number
  /** The room, thread or conversation it was sent to; empty for the first message of a thread until its id is known. */
  channelId: string
  /** The room or conversation whose access decides who sees the message: for a thread, the thread's room. */
  roomId: string
  authorId: string
  content: string
  begunAt: number
  outcome: Outcome
  ackedAt?: number
  /** Set by the answer or an event, whichever comes first. */
  id?: string
  seq?: number
  /** Its seq by channel: a message that was moved has several. */
  seqs: Map<string, number>
  /** Target threads of the requested moves, in order. */
  moves: string[]
  /** Number of the moves that certainly happened. */
  ackedMoves: number
  /** Start times of edits, by edit number. The content of an edit contains its number. */
  edits: number[]
  /** Number of the last edit with an answer. */
  ackedEdit?: number
  deletion?: 'asked' | 'acknowledged'
  /** Last request by emoji and user. `isSure` is true if each request so far was answered at the first try. */
  reactions: Map<string, { isOn: boolean; isSure: boolean }>
  /** True if an edit was repeated, so that its first request may have been executed last. */
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
  readonly threads = new Threads()
  readonly #byId = new Map<string, Entry>()
  readonly #findings: Findings
  acked = 0

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /**
   * Records a message before its request.
   * @param roomId the thread's room, for a message in a thread
   */
  begin(channelId: string, authorId: string, text: string, roomId = channelId): Entry {
    const number = this.entries.length
    const content = `#${number} ${text}`
    const entry: Entry = {
      number,
      channelId,
      roomId,
      authorId,
      content,
      begunAt: performance.now(),
      outcome: 'open',
      seqs: new Map(),
      moves: [],
      ackedMoves: 0,
      edits: [],
      hasDoubtfulEdit: false,
      reactions: new Map(),
    }
    this.entries.push(entry)
    return entry
  }

  acknowledge(entry: Entry, seen: Seen): void {
    this.#note(entry, seen, 'answer')
    this.acknowledgeOpening(entry, seen.channelId)
    if (seen.content !== entry.content)
      this.#findings.add('altered', 'an answer has other content', { entry, seen })
  }

  /** Notes that a thread was begun with the message. The answer does not contain the message. */
  acknowledgeOpening(entry: Entry, threadId: string): void {
    if (entry.channelId === '') entry.channelId = threadId
    if (entry.outcome === 'acknowledged') return
    entry.outcome = 'acknowledged'
    entry.ackedAt = performance.now()
    this.acked += 1
  }

  /** Records a received message. @returns its entry; undefined if the run never sent such a message */
  receive(seen: Seen, listener: string): Entry | undefined {
    const entry = this.find(seen.content)
    if (entry === undefined) {
      this.#findings.add('altered', 'a message was delivered that was never sent', { seen, listener })
      return undefined
    }
    this.#note(entry, seen, listener)
    // A move sends the creation again, with the content of an earlier edit.
    const isExpected = seen.content === entry.content || (this.mayHaveMoved(entry) && isEditOf(entry, seen))
    if (!isExpected)
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
    const { channelId, seq } = seen
    if (entry.channelId === '') entry.channelId = channelId
    if (entry.id === undefined) {
      entry.id = seen.id
      this.#byId.set(seen.id, entry)
    }
    if (channelId === entry.channelId) entry.seq ??= seq
    const known = entry.seqs.get(channelId) ?? seq
    entry.seqs.set(channelId, known)
    if (entry.id !== seen.id || known !== seq)
      this.#findings.add('doubled', 'a message has two ids or numbers', { entry, seen, by })
    const places = this.#placesFrom([entry.channelId, ...entry.moves])
    if (!places.includes(channelId) || entry.authorId !== seen.authorId)
      this.#findings.add('altered', 'a message is in another channel, or by another author', {
        entry,
        seen,
        by,
      })
  }

  /** True once a move of the message was requested, or a merge of a thread that may contain it. */
  mayHaveMoved(entry: Entry): boolean {
    return this.#placesFrom([entry.channelId, ...entry.moves]).length > 1
  }

  /** Returns the channels in which the message may be now. */
  homesOf({ channelId, moves, ackedMoves }: Entry): string[] {
    return this.#placesFrom(ackedMoves === 0 ? [channelId, ...moves] : moves.slice(ackedMoves - 1))
  }

  /** True if the message may have been deleted with its thread. */
  isDoomed(entry: Entry): boolean {
    return this.homesOf(entry).some((id) => this.threads.isDoomed(id))
  }

  #placesFrom(channelIds: readonly string[]): string[] {
    return channelIds.flatMap((id) => this.threads.homesFrom(id))
  }
}

function isEditOf(entry: Entry, { content }: Seen): boolean {
  const edit = editIn(content)
  return edit !== undefined && edit < entry.edits.length
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
