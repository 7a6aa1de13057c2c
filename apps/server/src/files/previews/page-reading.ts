import { Readable } from 'node:stream'
import { embedOfPage } from './embeds.ts'
import { oembedIn } from './oembed.ts'
import type { PageFinding, PageJob } from './page-jobs.ts'
import { PageParser } from './page-parser.ts'
import { decoded, textOf } from './page-text.ts'
import { httpUrl } from './values.ts'

/** Limit after decoding. Real pages have their metadata before it. */
const MAX_PAGE_BYTES = 512 * 1024

/** Parses the beginning of a page. */
export async function readPage(job: PageJob): Promise<PageFinding> {
  const bytes = decoded(Readable.from([Buffer.from(job.bytes)]), job.encoding)
  // The page has an encoding that was not requested.
  if (bytes === undefined) return { embed: null, oembed: null, isWhole: true }
  const parser = new PageParser()
  const isWhole = await parse(parser, bytes, job.contentType).finally(() => bytes.destroy())
  const head = parser.end()
  const url = new URL(job.url)
  const embed = embedOfPage({ link: job.link, url }, head, oembedIn(job.oembed))
  return { embed: embed ?? null, oembed: httpUrl(head.oembed, url), isWhole }
}

/** @returns true if the head or the readable part of the page is complete */
async function parse(parser: PageParser, bytes: Readable, contentType: string): Promise<boolean> {
  try {
    return await parseTexts(parser, textOf(upTo(MAX_PAGE_BYTES, bytes), contentType))
  } catch (error) {
    // The part of a badly encoded page before the error may be enough.
    if (!isWronglyEncoded(error)) throw error
    return false
  }
}

async function parseTexts(parser: PageParser, texts: AsyncIterable<string>): Promise<boolean> {
  let left = MAX_PAGE_BYTES
  for await (const text of texts) {
    left -= text.length
    if (!parser.write(text)) return true
  }
  return left <= 0
}

async function* upTo(most: number, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = most
  for await (const chunk of bytes) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

function isWronglyEncoded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}
