import type { AnnouncementFeed, ShownFeedMessage } from '@foyer/protocol/announcement-feed'
import { newId } from '#src/kernel/ids.ts'
import { type HttpTarget, startTarget } from '../outside/http-target.ts'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body: string
}

/** Another server with an announcement room. Tests control the feed that it sends. */
export class HostileSource {
  readonly spaceId = newId()
  readonly roomId = newId()
  /** Answers requests for the feed: for messages after the number `after`, or without messages if it is null. */
  respond: (after: string | null) => Answer | Promise<Answer> = (after) => answerOf(this.feedOf(), after)
  /** Number of requests to the server's hub, which refuses all of them. */
  askedOfHub = 0
  readonly #target: HttpTarget
  readonly #host: string

  /** @param host one of this machine's own addresses */
  static async start(host = '127.0.0.1'): Promise<HostileSource> {
    const target = await startTarget(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://hostile')
      // Sends a response that never ends.
      if (pathname === '/slow') return void response.writeHead(200).write('x')
      if (pathname === '/read/hub') source.askedOfHub += 1
      if (!pathname.endsWith('/announcements.json')) return void response.writeHead(404).end()
      const { status = 200, headers, body } = await source.respond(searchParams.get('after'))
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    }, host)
    const source = new HostileSource(target, host)
    return source
  }

  constructor(target: HttpTarget, host: string) {
    this.#target = target
    this.#host = host
  }

  get origin(): string {
    return `http://${this.#host}:${this.#target.port}`
  }

  /** Address of the announcement room's page. */
  get page(): string {
    return `${this.origin}/read/${this.spaceId}/${this.roomId}`
  }

  /** Returns a valid feed, which tests can then break. */
  feedOf(
    messages: AnnouncementFeed['messages'] = [],
    head = messages.at(-1)?.number ?? 10,
  ): AnnouncementFeed {
    return {
      ...{ version: 1, server: this.origin, url: `${this.page}/announcements.json` },
      hub: `${this.origin}/read/hub`,
      space: { id: this.spaceId, name: 'Elsewhere', icon: null },
      room: { id: this.roomId, name: 'news' },
      ...{ last_seq: 1, head, messages },
    }
  }

  shown(number: number, content: string, changes: object = {}): ShownFeedMessage {
    return {
      ...{ number, id: newId(), state: 'there', seq: number, content, flags: 0, embeds: [], components: [] },
      ...{ files: [], sent_at: new Date().toISOString(), edited_at: null, url: `${this.page}/m`, ...changes },
    }
  }

  close(): Promise<void> {
    return this.#target.close()
  }
}

export function answerOf(feed: object, position: string | null): Answer {
  return { body: JSON.stringify(position === null ? { ...feed, messages: undefined } : feed) }
}
