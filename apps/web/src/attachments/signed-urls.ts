import { serverNow } from '#src/ui/server-clock.ts'

interface Signed {
  readonly id: string
  readonly url: string | null
}

/** Clocks differ a little, and a request takes its time. */
const MARGIN_MS = 60_000

/** The newest download addresses of attachments: they are signed, and stop when their signature does. */
export class SignedUrls {
  readonly #resign: (attachmentId: string) => Promise<string>
  readonly #renewed = new Map<string, string>()
  readonly #asked = new Map<string, Promise<string>>()

  constructor(resign: (attachmentId: string) => Promise<string>) {
    this.#resign = resign
  }

  /** The one that works longest of what is known, or null when none works any more. */
  usable({ id, url }: Signed, now = serverNow()): string | null {
    const known = [url, this.#renewed.get(id)].filter((candidate) => typeof candidate === 'string')
    const [best] = known.sort((a, b) => expiryOf(b) - expiryOf(a))
    return best !== undefined && expiryOf(best) > now + MARGIN_MS ? best : null
  }

  /** Asks for a new one; whoever else asks meanwhile gets the same. */
  renew(id: string): Promise<string> {
    const asked = this.#asked.get(id) ?? this.#ask(id).finally(() => this.#asked.delete(id))
    this.#asked.set(id, asked)
    return asked
  }

  async #ask(id: string): Promise<string> {
    const url = await this.#resign(id)
    this.#renewed.set(id, url)
    return url
  }
}

/** When an address stops working, in milliseconds since 1970; 0 for what has no such time. */
function expiryOf(url: string): number {
  return Number(queryOf(url).get('exp') ?? 0) * 1000
}

/** The same file as its own download under its own name, also for what a browser would rather show. */
export function downloadOf(url: string): string {
  const query = queryOf(url)
  query.set('stream', '1')
  return `${url.split('?')[0]}?${query}`
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split('?')[1])
}
