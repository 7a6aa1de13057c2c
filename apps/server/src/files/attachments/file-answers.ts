import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DownloadFact } from '#src/files/objects/download-facts.ts'
import { planDownload } from '#src/kernel/http/byte-ranges.ts'
import { dispositionOf } from '#src/kernel/media/disposition.ts'
import { strangerHeaders } from '#src/kernel/media/stranger-headers.ts'
import { lookOf, openDownload } from './downloads.ts'

/** Answers with a file or the asked-for range of it. The caller has checked who may read it, and decides about caches. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  fact: DownloadFact,
): Promise<FastifyReply> {
  const { file } = fact
  const look = lookOf(file)
  const plan = planDownload(request.headers, { etag: `"${file.id}"`, sizeBytes: file.size_bytes })
  const hasNoBody = request.method === 'HEAD' || plan.status === 304
  // An empty stream: with any other body Fastify would send its length instead of the file's.
  const body = hasNoBody ? Readable.from([]) : await openDownload(fact, plan.range, reply.raw)
  return reply
    .code(plan.status)
    .headers({
      ...strangerHeaders,
      ...plan.headers,
      'content-type': look.contentType,
      'content-disposition': dispositionOf(look),
    })
    .send(body)
}
