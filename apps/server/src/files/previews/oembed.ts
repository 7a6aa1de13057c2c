import { buffer } from 'node:stream/consumers'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { askingFor } from '#src/kernel/outgoing/user-agent.ts'
import type { Oembed } from './embeds.ts'

const MAX_BYTES = 64 * 1024
const SILENCE_MS = 3000
const MAX_REDIRECTS = 3

const Answer = Type.Record(Type.String(), Type.Unknown())

/** Fetches a page's oEmbed; null if it is not available. @see https://oembed.com */
export async function fetchOembed(outgoing: Outgoing, url: URL, signal: AbortSignal): Promise<Buffer | null> {
  try {
    const { status, body } = await outgoing.send({
      method: 'GET',
      url,
      headers: askingFor('application/json'),
      timeoutMs: SILENCE_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: MAX_REDIRECTS,
      signal,
    })
    const bytes = await buffer(body)
    return status === 200 ? bytes : null
  } catch (error) {
    if (signal.aborted) throw error
    return null
  }
}

/** Parses an oEmbed; empty if invalid. Its HTML is ignored. */
export function oembedIn(bytes: Uint8Array | null): Oembed {
  const answer = bytes === null ? undefined : parsed(Buffer.from(bytes).toString())
  if (!Check(Answer, answer)) return {}
  const text = (name: string) => {
    const value = Object.hasOwn(answer, name) ? answer[name] : undefined
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  return {
    title: text('title'),
    author_name: text('author_name'),
    author_url: text('author_url'),
    provider_name: text('provider_name'),
    picture: text('type') === 'photo' ? text('url') : text('thumbnail_url'),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
