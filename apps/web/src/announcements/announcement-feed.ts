import type { Announcement } from '@foyer/protocol/announcements'
import { Announcements } from '@foyer/sdk/api/announcements'
import type { Client } from '@foyer/sdk/client'

/**
 * The announcements that have begun. Some may have ended since: the server does not publish ends. They are requested once
 * for each READY. Every change is an event, which a RESUME repeats.
 */
class AnnouncementFeed {
  #current: readonly Announcement[] = []
  /** Counts events and requests. A response is dropped if it is no longer the newest, since it may be older than an event. */
  #version = 0
  #isComplete = false
  readonly #client: Client
  readonly #listeners = new Set<() => void>()

  constructor(client: Client) {
    this.#client = client
    client.gateway.on('ANNOUNCEMENTS_UPDATE', ({ announcements }) => this.#set(announcements))
    client.gateway.on('READY', () => this.#request())
    client.gateway.on('RESUMED', () => {
      if (!this.#isComplete) this.#request()
    })
    this.#request()
  }

  readonly current = (): readonly Announcement[] => this.#current

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #request(): void {
    this.#version += 1
    this.#isComplete = false
    const asked = this.#version
    this.#client
      .api(Announcements)
      .list()
      .then(({ announcements }) => {
        if (asked === this.#version) this.#set(announcements)
      })
      // The list is requested again with the next connection.
      .catch(() => undefined)
  }

  #set(announcements: readonly Announcement[]): void {
    this.#version += 1
    this.#isComplete = true
    this.#current = announcements
    for (const listener of this.#listeners) listener()
  }
}

/** One feed per client, so that pages with banners do not request the list again. */
const feeds = new WeakMap<Client, AnnouncementFeed>()

export function announcementFeed(client: Client): AnnouncementFeed {
  const feed = feeds.get(client) ?? new AnnouncementFeed(client)
  feeds.set(client, feed)
  return feed
}
