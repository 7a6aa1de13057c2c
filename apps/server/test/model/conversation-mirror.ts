import assert from 'node:assert/strict'
import type { Conversation } from '@foyer/protocol/conversations'
import type { EventFeed } from './mirror.ts'

const MAX_WAIT_MS = 30_000

/** Conversations as a client knows them from gateway events alone. */
export class ConversationMirror {
  readonly userId: string
  readonly listed = new Map<string, Conversation>()
  /** Contents of the messages received in listed conversations. */
  readonly heard: string[] = []
  /** Contents of the messages received in any other conversation. */
  readonly leaked: string[] = []
  readonly #marks = new Set<string>()
  #wake = () => {}

  constructor(userId: string, feed: EventFeed) {
    this.userId = userId
    feed.on('READY', ({ conversations }) => {
      this.listed.clear()
      for (const conversation of conversations) this.listed.set(conversation.id, conversation)
    })
    feed.on('USER_UPDATE', ({ id, custom }) => {
      if (id === userId) this.#marks.add(custom)
      this.#wake()
    })
    this.#listen(feed)
  }

  /** Resolves once the mark, and every event sent before it, has been received. */
  async reach(mark: string): Promise<void> {
    const deadline = Date.now() + MAX_WAIT_MS
    while (!this.#marks.has(mark) && Date.now() < deadline) await this.#next(deadline - Date.now())
    assert.ok(this.#marks.has(mark), `${this.userId} heard ${mark}`)
  }

  #listen(feed: EventFeed): void {
    feed.on('CONVERSATION_CREATE', (conversation) => this.listed.set(conversation.id, conversation))
    feed.on('CONVERSATION_UPDATE', (conversation) => this.#change(conversation.id, () => conversation))
    feed.on('CONVERSATION_DELETE', ({ conversation_id }) => this.listed.delete(conversation_id))
    feed.on('CONVERSATION_MEMBER_ADD', ({ conversation_id, user }) =>
      this.#change(conversation_id, (known) => ({
        ...known,
        recipients: [...known.recipients.filter(({ id }) => id !== user.id), user],
      })),
    )
    feed.on('CONVERSATION_MEMBER_REMOVE', ({ conversation_id, user_id }) =>
      this.#change(conversation_id, (known) => ({
        ...known,
        recipients: known.recipients.filter(({ id }) => id !== user_id),
      })),
    )
    feed.on('MESSAGE_CREATE', ({ conversation_id, content }) => {
      const isListed = conversation_id !== null && this.listed.has(conversation_id)
      const list = isListed ? this.heard : this.leaked
      list.push(content)
    })
  }

  #change(id: string, change: (known: Conversation) => Conversation): void {
    const known = this.listed.get(id)
    if (known !== undefined) this.listed.set(id, change(known))
  }

  #next(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
