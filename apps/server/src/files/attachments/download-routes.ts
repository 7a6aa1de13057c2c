import { Readable } from 'node:stream'
import { AttachmentParams, DownloadQuery, SignedUrl } from '@foyer/protocol/attachments'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { planDownload } from '#src/kernel/http/byte-ranges.ts'
import { refuseExecution } from '#src/kernel/http/fetch-destination.ts'
import type { App } from '#src/kernel/http/types.ts'
import { dispositionOf } from '#src/kernel/media/disposition.ts'
import { strangerHeaders } from '#src/kernel/media/stranger-headers.ts'
import {
  accessDownload,
  cachingOf,
  type Download,
  type DownloadDeps,
  lookOf,
  openDownload,
  presign,
  resign,
} from './downloads.ts'

const tags = ['Attachments']

export function downloadRoutes(app: App, deps: DownloadDeps): void {
  downloadRoute(app, deps)
  resignRoute(app, deps)
}

function downloadRoute(app: App, deps: DownloadDeps): void {
  const schema = {
    tags,
    summary: 'Download Attachment',
    params: AttachmentParams,
    querystring: DownloadQuery,
    response: { 200: Type.Unsafe<unknown>({ description: 'The file' }), 307: Type.Null() },
  }
  app.get('/attachments/:attachmentId', { config: { access: 'public' }, schema }, async (request, reply) => {
    refuseExecution(request.headers)
    const download = await accessDownload(deps, request.params.attachmentId, request.query)
    reply.header('cache-control', cachingOf(download)).headers(strangerHeaders)
    if (request.query.stream === '1') return sendFile(request, reply, download)
    return reply
      .code(307)
      .header('location', await presign(download.fact))
      .send()
  })
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  download: Download,
): Promise<FastifyReply> {
  const { fact } = download
  const { file } = fact
  const look = lookOf(file)
  const plan = planDownload(request.headers, { etag: `"${file.id}"`, sizeBytes: file.size_bytes })
  const hasNoBody = request.method === 'HEAD' || plan.status === 304
  // An empty stream: with any other body Fastify would send its length instead of the file's.
  const body = hasNoBody ? Readable.from([]) : await openDownload(fact, plan.range, reply.raw)
  return reply
    .code(plan.status)
    .headers({
      ...plan.headers,
      'content-type': look.contentType,
      'content-disposition': dispositionOf(look),
    })
    .send(body)
}

function resignRoute(app: App, deps: DownloadDeps): void {
  const schema = {
    tags,
    summary: 'Resign Attachment',
    params: AttachmentParams,
    response: { 200: SignedUrl },
  }
  app.post('/attachments/:attachmentId/resign', { schema }, async (request) =>
    resign(deps, request.caller, request.params.attachmentId),
  )
}
