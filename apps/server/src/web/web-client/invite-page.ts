import type { InvitePreview } from '@foyer/protocol/invites'
import type { Space } from '@foyer/protocol/spaces'
import { findInvitePreview } from '#src/invites/queries.ts'
import { networkOf } from '#src/kernel/http/network-of.ts'
import { type RateCounters, rateLimits } from '#src/kernel/limits/rate-limits.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { wordsFor } from '#src/web/web-pages/making/words.ts'

export interface InviteLookupDeps {
  database: Queryable
  /** Undefined turns rate limits off. */
  rateCounters: RateCounters | undefined
}

type ShownInvite = Pick<InvitePreview, 'code' | 'member_count'> & {
  readonly space: Pick<Space, 'name' | 'description' | 'icon' | 'locale'>
}

export type InviteLookup = (code: string, address: string) => Promise<ShownInvite | undefined>

/** Looks up an invite for its page. Above the rate limit, the page is sent without the invite instead of being refused. */
export function inviteLookup({ database, rateCounters }: InviteLookupDeps): InviteLookup {
  const { limit, windowMs } = rateLimits.inviteLookup
  return async (code, address) => {
    if (!/^[\w-]{1,64}$/.test(code)) return undefined
    const counter = { subject: networkOf(address), name: 'inviteLookup|page', limit, windowMs }
    const decision = await rateCounters?.take([counter], Date.now())
    return decision?.allowed === false ? undefined : findInvitePreview(database, code)
  }
}

interface Reader {
  /** Public origin of this server, like `https://chat.example.org`. */
  readonly origin: string
  /** Accept-Language of the request. */
  readonly languages: string | undefined
}

/**
 * Adds an invite's metadata for link previews (Open Graph, https://ogp.me), and a text for browsers without scripts:
 * in the language of the space, otherwise of the request.
 */
export function withInvite(
  page: string,
  { code, space, member_count }: ShownInvite,
  { origin, languages }: Reader,
): string {
  const words = wordsFor(space.locale ?? languages ?? null)
  const title = words.join(space.name)
  const description = [space.description, words.members(member_count)].filter(Boolean).join(' · ')
  const picture = space.icon === null ? '/apple-touch-icon.png' : `/attachments/${space.icon}`
  const head = [
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', 'Foyer'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', `${origin}/invite/${code}`),
    meta('property', 'og:image', `${origin}${picture}`),
    meta('name', 'twitter:card', 'summary'),
    meta('name', 'robots', 'noindex'),
  ].join('\n    ')
  // Replacements are functions, because `$&` has a special meaning in a replacement text.
  return page
    .replace(/<html lang="[^"]*"/, () => `<html lang="${words.language}"`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => meta('name', 'description', description))
    .replace('</head>', () => `${head}\n  </head>`)
    .replace('<noscript>', () => `<noscript><h1>${escaped(title)}</h1><p>${escaped(description)}</p>`)
}

function meta(kind: 'name' | 'property', key: string, content: string): string {
  return `<meta ${kind}="${key}" content="${escaped(content)}" />`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
}
