import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { IncomingUploads } from '#src/files/objects/incoming-uploads.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { takeLongBody } from '#src/kernel/http/bodies/long-bodies.ts'
import { planDownload } from '#src/kernel/http/byte-ranges.ts'
import { refuseExecution } from '#src/kernel/http/fetch-destination.ts'
import type { App } from '#src/kernel/http/types.ts'
import { dispositionOf } from '#src/kernel/media/disposition.ts'
import { servedTypeOf } from '#src/kernel/media/inline.ts'
import { strangerHeaders } from '#src/kernel/media/stranger-headers.ts'
import { FolderStore } from '#src/kernel/storage/folder-store.ts'
import type { FreeDisk } from '#src/kernel/storage/free-disk.ts'
import { UploadError } from '#src/kernel/storage/incoming-body.ts'
import { type DownloadLook, type ObjectStore, StoreError } from '#src/kernel/storage/object-store.ts'
import type { StoredFile } from '#src/kernel/storage/stored-file.ts'
import { checkUpload } from './relay-routes.ts'

const Params = Type.Object({ '*': Type.String() })
const Text = Type.String({ default: '' })
const Signature = { type: Text, exp: Text, sig: Text }
const DownloadQuery = Type.Object({ ...Signature, name: Text, inline: Text })
const UploadQuery = Type.Object({ ...Signature, size: Text })

export interface ObjectDeps {
  own: ObjectStore
  /**
   * Returns true while an object may still be uploaded. Without this check, the holder of an upload URL could fill the
   * disk until the URL expires after an hour.
   */
  isAwaited(key: string): Promise<boolean>
  /** Tracks uploads in progress, so that they keep their reservation. */
  uploads?: IncomingUploads
  disk?: FreeDisk | undefined
}

/** Routes for the folder store's signed URLs. Buckets serve their own. */
export function objectRoutes(app: App, { own, ...deps }: ObjectDeps): void {
  if (!(own instanceof FolderStore)) return
  downloadRoute(app, own)
  uploadRoute(app, own, deps)
}

function downloadRoute(app: App, store: FolderStore): void {
  const schema = { hide: true, params: Params, querystring: DownloadQuery }
  app.get('/storage/*', { config: { access: 'public' }, schema }, async (request, reply) => {
    refuseExecution(request.headers)
    const { type: contentType, name: filename, inline, exp: expires, sig } = request.query
    const look = { contentType, filename, inline: inline === 'true' }
    const key = request.params['*']
    if (!store.allows({ method: 'GET', key, look, expires }, sig)) throw new ApiError('invalid_signature')
    reply.header('cache-control', `private, max-age=${secondsUntil(expires)}`)
    return sendFile(request, reply, { look, file: await answered(store.open(key)) })
  })
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { look, file }: { look: DownloadLook; file: StoredFile },
): Promise<FastifyReply> {
  await using opened = new AsyncDisposableStack()
  opened.defer(() => file.close())
  const plan = planDownload(request.headers, file)
  reply.code(plan.status).headers({
    ...strangerHeaders,
    ...plan.headers,
    'content-type': servedTypeOf(look.contentType),
    'content-disposition': dispositionOf(look),
    'last-modified': file.modifiedAt.toUTCString(),
  })
  // An empty stream: with any other body Fastify would send its length instead of the file's.
  if (request.method === 'HEAD' || plan.status === 304) return reply.send(Readable.from([]))
  opened.move()
  return reply.send(await file.read(plan.range))
}

function uploadRoute(app: App, store: FolderStore, deps: Omit<ObjectDeps, 'own'>): void {
  const { isAwaited, uploads, disk } = deps
  const schema = { hide: true, params: Params, querystring: UploadQuery }
  const config = { access: 'public', bodies: 'streamed' } as const
  app.put('/storage/*', { config, schema }, async (request, reply) => {
    const { type: contentType, size, exp: expires, sig } = request.query
    const key = request.params['*']
    const sizeBytes = Number(size)
    if (!store.allows({ method: 'PUT', key, contentType, sizeBytes, expires }, sig))
      throw new ApiError('invalid_signature')
    checkUpload(request, { contentType, size })
    if (!(await isAwaited(key))) throw new ApiError('unknown_attachment')
    await disk?.check(sizeBytes)
    const receive = async () => {
      takeLongBody(request, reply)
      await answered(store.receive(key, sizeBytes, request.raw))
    }
    await (uploads?.receive(key, receive) ?? receive())
    // The upload may have taken hours: delete the object if the sweep would not find it.
    if (!(await isAwaited(key))) {
      await answered(store.delete(key))
      throw new ApiError('unknown_attachment')
    }
    return reply.code(200).send()
  })
}

function secondsUntil(expires: string): number {
  return Math.max(0, Number(expires) - Math.ceil(Date.now() / 1000))
}

/**
 * @throws ApiError 400 for an incomplete body, 404 for an unknown object, 507 if the disk is full, 503 for any other failure of
 *   the store
 */
async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw new ApiError(codeOf(error))
  }
}

function codeOf(error: StoreError) {
  const { fault } = error
  if (error instanceof UploadError) return 'upload_incomplete'
  if (fault === 'missing') return 'unknown_attachment'
  if (fault === 'disk_full') return 'disk_full'
  return fault === 'full' ? 'storage_full' : 'storage_unavailable'
}
