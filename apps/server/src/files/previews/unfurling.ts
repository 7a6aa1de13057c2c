import { type Embed, EmbedType } from '@foyer/protocol/embeds'
import { ApiError } from '#src/kernel/errors.ts'
import { essenceOf, isInlineSafe } from '#src/kernel/media/inline.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import type { OutgoingResponse } from '#src/kernel/outgoing/outgoing-request.ts'
import { askingFor } from '#src/kernel/outgoing/user-agent.ts'
import { emptyEmbed, mediaAt } from './embeds.ts'
import { fetchOembed } from './oembed.ts'
import type { PageFinding } from './page-jobs.ts'
import { stagesOf } from './page-stages.ts'
import type { Pages } from './pages.ts'

const SILENCE_MS = 4000
const MAX_REDIRECTS = 3

/** Characters of a header that are read. A server may send 16 KiB. */
const MAX_HEADER_LENGTH = 256

export interface UnfurlDeps {
  outgoing: Outgoing
  pages: Pages
}

/** Result for a link: an embed, nothing to show, or a host that could not be reached. */
export type Unfurled = { kind: 'embed'; embed: Embed } | { kind: 'nothing' } | { kind: 'trouble' }

const nothing: Unfurled = { kind: 'nothing' }

/**
 * Fetches a link's target and makes its preview, within the signal's time and reading only the beginning.
 * @throws the signal's reason
 */
export async function unfurl(deps: UnfurlDeps, link: string, signal: AbortSignal): Promise<Unfurled> {
  try {
    const answer = await ask(deps.outgoing, new URL(link), signal)
    try {
      return await read(deps, { link, answer }, signal)
    } finally {
      answer.body.destroy()
    }
  } catch (error) {
    if (signal.aborted) throw error
    return isTrouble(error) ? { kind: 'trouble' } : nothing
  }
}

function ask(outgoing: Outgoing, url: URL, signal: AbortSignal): Promise<OutgoingResponse> {
  return outgoing.send({
    method: 'GET',
    url,
    headers: {
      ...askingFor('text/html, application/xhtml+xml, image/*, video/*, audio/*;q=0.9, */*;q=0.1'),
      'accept-language': 'en, *;q=0.5',
    },
    timeoutMs: SILENCE_MS,
    maxRedirects: MAX_REDIRECTS,
    signal,
  })
}

interface Answered {
  link: string
  answer: OutgoingResponse
}

async function read(deps: UnfurlDeps, { link, answer }: Answered, signal: AbortSignal): Promise<Unfurled> {
  const { status, headers, url } = answer
  if (status >= 500) return { kind: 'trouble' }
  if (status !== 200) return nothing
  const contentType = essenceOf(headers['content-type'] ?? '')
  if (contentType === 'text/html' || contentType === 'application/xhtml+xml') {
    const embed = await embedOf(deps, { link, answer }, signal)
    return embed === null ? nothing : { kind: 'embed', embed }
  }
  const media = mediaAt(url.href, contentType)
  // No browser plays the other types.
  if (!isInlineSafe(contentType)) return nothing
  if (contentType.startsWith('image/'))
    return { kind: 'embed', embed: { ...emptyEmbed(EmbedType.Image, link), image: media } }
  if (/^(?:video|audio)\//.test(contentType))
    return { kind: 'embed', embed: { ...emptyEmbed(EmbedType.Video, link), video: media } }
  return nothing
}

/** Parses the page once its head is complete. If the page has an oEmbed, parses it once more with the oEmbed. */
async function embedOf(deps: UnfurlDeps, answered: Answered, signal: AbortSignal): Promise<Embed | null> {
  const { link, answer } = answered
  const { headers, url, body } = answer
  const page = {
    link,
    url: url.href,
    contentType: (headers['content-type'] ?? '').slice(0, MAX_HEADER_LENGTH),
    encoding: (headers['content-encoding'] ?? '').slice(0, MAX_HEADER_LENGTH),
    oembed: null,
  }
  for await (const { bytes, isEnd } of stagesOf(body, isFatal)) {
    const { embed, oembed, isWhole } = await deps.pages.read({ ...page, bytes }, signal)
    if (!isWhole && !isEnd) continue
    body.destroy()
    const answered = oembed === null ? null : await fetchOembed(deps.outgoing, new URL(oembed), signal)
    if (answered === null) return withLink(embed, link)
    const whole = await deps.pages.read({ ...page, bytes, oembed: answered }, signal)
    return withLink(whole.embed, link)
  }
  return null
}

/** The link identifies the embed later, so the child process must not choose it. */
function withLink(embed: PageFinding['embed'], link: string): Embed | null {
  return embed && { ...embed, url: link }
}

function isTrouble(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'unavailable'
  return error instanceof OutgoingError && (error.reason === 'unreachable' || error.reason === 'timeout')
}

/** Returns false if only the download was interrupted: the part of the page that arrived may be enough. */
function isFatal(error: unknown): boolean {
  return !(error instanceof OutgoingError)
}
