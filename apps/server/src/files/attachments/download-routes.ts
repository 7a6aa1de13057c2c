import { AttachmentParams, DownloadQuery, SignedUrl } from '@foyer/protocol/attachments'
import { Type } from 'typebox'
import { refuseExecution } from '#src/kernel/http/fetch-destination.ts'
import type { App } from '#src/kernel/http/types.ts'
import { strangerHeaders } from '#src/kernel/media/stranger-headers.ts'
import { accessDownload, cachingOf, type DownloadDeps, presign, resign } from './downloads.ts'
import { sendFile } from './file-answers.ts'

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
    if (request.query.stream === '1') return sendFile(request, reply, download.fact)
    return reply
      .code(307)
      .header('location', await presign(download.fact))
      .send()
  })
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
