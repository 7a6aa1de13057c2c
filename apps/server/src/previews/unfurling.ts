import { type Embed, EmbedType } from '@foyer/protocol/embeds'
import { essenceOf, isInlineSafe } from '#src/kernel/media/inline.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import type { OutgoingResponse } from '#src/kernel/outgoing/outgoing-request.ts'
import { askingFor } from '#src/kernel/outgoing/user-agent.ts'
import { embedOfPage, emptyEmbed, mediaAt, type Target } from './embeds.ts'
import { fetchOembed } from './oembed.ts'
import { type PageHead, PageParser } from './page-parser.ts'
import { decoded, textOf } from './page-text.ts'
import { httpUrl } from './values.ts'

/** Decoded. A head that is longer says by then what it has to say. */
const MAX_PAGE_BYTES = 512 * 1024
const SILENCE_MS = 4000
const MAX_REDIRECTS = 3

/** What a link leads to; nothing that can be shown; or that its host could not be asked just now. */
export type Unfurled = { kind: 'embed'; embed: Embed } | { kind: 'nothing' } | { kind: 'trouble' }

const nothing: Unfurled = { kind: 'nothing' }

/**
 * Looks at what is behind a link. Whatever it is, it takes no longer than the signal lets it, and no more than its
 * beginning is read.
 * @throws the signal's reason
 */
export async function unfurl(outgoing: Outgoing, link: string, signal: AbortSignal): Promise<Unfurled> {
  try {
    const answer = await ask(outgoing, new URL(link), signal)
    try {
      return await read(outgoing, { link, answer }, signal)
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

async function read(
  outgoing: Outgoing,
  { link, answer }: { link: string; answer: OutgoingResponse },
  signal: AbortSignal,
): Promise<Unfurled> {
  const { status, headers, url } = answer
  if (status >= 500) return { kind: 'trouble' }
  if (status !== 200) return nothing
  const contentType = essenceOf(headers['content-type'] ?? '')
  if (contentType === 'text/html' || contentType === 'application/xhtml+xml') {
    const head = await readHead(answer)
    const embed = head && (await embedOf(outgoing, { link, url }, head, signal))
    return embed === undefined ? nothing : { kind: 'embed', embed }
  }
  const media = mediaAt(url.href, contentType)
  // A type that no browser shows would be a player that plays nothing.
  if (!isInlineSafe(contentType)) return nothing
  if (contentType.startsWith('image/'))
    return { kind: 'embed', embed: { ...emptyEmbed(EmbedType.Image, link), image: media } }
  if (/^(?:video|audio)\//.test(contentType))
    return { kind: 'embed', embed: { ...emptyEmbed(EmbedType.Video, link), video: media } }
  return nothing
}

/** Undefined for a page that is encoded as nobody asked for. */
async function readHead({ body, headers }: OutgoingResponse): Promise<PageHead | undefined> {
  const bytes = decoded(body, headers['content-encoding'])
  if (bytes === undefined) return undefined
  const parser = new PageParser()
  try {
    await parse(parser, textOf(upTo(MAX_PAGE_BYTES, bytes), headers['content-type'] ?? ''))
  } catch (error) {
    // A page that breaks off, or is wrongly encoded, may have said enough.
    if (!isBroken(error)) throw error
  } finally {
    bytes.destroy()
  }
  return parser.end()
}

async function parse(parser: PageParser, texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) if (!parser.write(text)) return
}

async function* upTo(most: number, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = most
  for await (const chunk of bytes) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

async function embedOf(
  outgoing: Outgoing,
  target: Target,
  head: PageHead,
  signal: AbortSignal,
): Promise<Embed | undefined> {
  const address = httpUrl(head.oembed, target.url)
  const oembed = address === null ? {} : await fetchOembed(outgoing, new URL(address), signal)
  return embedOfPage(target, head, oembed)
}

function isTrouble(error: unknown): boolean {
  return error instanceof OutgoingError && (error.reason === 'unreachable' || error.reason === 'timeout')
}

/** Of the network, or of what decodes. */
function isBroken(error: unknown): boolean {
  const isZlib = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
  return error instanceof OutgoingError || isZlib
}
