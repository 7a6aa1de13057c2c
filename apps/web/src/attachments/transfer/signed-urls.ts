import { serverNow } from '#src/ui/time/server-clock.ts'

interface Signed {
  readonly id: string
  readonly url: string | null
}

/** Time before the expiry at which a URL is no longer used. Clocks differ a little, and requests take time. */
const MARGIN_MS = 60_000

/** The newest download URLs of attachments. Their signatures expire. */
export class SignedUrls {
  readonly #resign: (attachmentId: string) => Promise<string>
  readonly #renewed = new Map<string, string>()
  readonly #asked = new Map<string, Promise<string>>()

  constructor(resign: (attachmentId: string) => Promise<string>) {
    this.#resign = resign
  }

  /** Returns the known URL that expires last, or null if it expires within `MARGIN_MS`. */
  usable({ id, url }: Signed, now = serverNow()): string | null {
    const known = [url, this.#renewed.get(id)].filter((candidate) => typeof candidate === 'string')
    const [best] = known.sort((a, b) => expiryOf(b) - expiryOf(a))
    return best !== undefined && expiryOf(best) > now + MARGIN_MS ? best : null
  }

  /** Requests a new URL. Concurrent calls share one request. */
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

/** Returns when a URL expires, in milliseconds since 1970; 0 if it has no expiry. */
function expiryOf(url: string): number {
  return Number(queryOf(url).get('exp') ?? 0) * 1000
}

/** Returns the URL that downloads the file under its name, even if the browser could show it. */
export function downloadOf(url: string): string {
  const query = queryOf(url)
  query.set('stream', '1')
  return `${url.split('?')[0]}?${query}`
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split('?')[1])
}
