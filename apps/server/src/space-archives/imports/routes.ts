import { SpaceImport, SpaceImportParams } from '@foyer/protocol/space-imports'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { requirePlainBody } from '#src/kernel/http/bodies/body-bytes.ts'
import { takeLongBody } from '#src/kernel/http/bodies/long-bodies.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { type ImportDeps, listImports, receiveArchive, showImport } from './actions.ts'

const tags = ['Spaces']
const root = '/api/spaces/imports'
const ARCHIVE_TYPE = 'application/zip'

/** Routes for creating a space from an archive. */
export function spaceImportRoutes(app: App, deps: ImportDeps): void {
  createRoute(app, deps)
  listRoute(app, deps)
  showRoute(app, deps)
}

function createRoute(app: App, deps: ImportDeps): void {
  const schema = {
    tags,
    summary: 'Import Space',
    description:
      'Creates a new space from an exported one. The body is the archive itself, with the type application/zip and its length.',
    response: { 202: SpaceImport },
  }
  const config = { ...human, bodies: 'streamed', file: ARCHIVE_TYPE } as const
  app.post(root, { config, schema }, async (request, reply) => {
    const sizeBytes = checkArchive(request)
    const onReady = () => takeLongBody(request, reply)
    const incoming = { userId: request.caller.user.id, sizeBytes, body: request.raw, onReady }
    return reply.code(202).send(await receiveArchive(deps, incoming))
  })
}

function listRoute(app: App, deps: ImportDeps): void {
  const schema = {
    tags,
    summary: 'List Space Imports',
    description: "The caller's own imports of the last day, the newest first.",
    response: { 200: Type.Array(SpaceImport) },
  }
  app.get(root, { config: human, schema }, async ({ caller }) => listImports(deps, caller.user.id))
}

function showRoute(app: App, deps: ImportDeps): void {
  const schema = {
    tags,
    summary: 'Get Space Import',
    params: SpaceImportParams,
    response: { 200: SpaceImport },
  }
  app.get(`${root}/:importId`, { config: human, schema }, async ({ caller, params }) =>
    showImport(deps, { id: params.importId, userId: caller.user.id }),
  )
}

/** @throws ApiError 400 for another Content-Type, and without a Content-Length */
function checkArchive(request: FastifyRequest): number {
  requirePlainBody(request)
  if (request.mediaType !== ARCHIVE_TYPE)
    throw new ApiError('invalid_request', `Content-Type must be ${ARCHIVE_TYPE}`)
  const sizeBytes = Number(request.headers['content-length'])
  if (Number.isInteger(sizeBytes) && sizeBytes > 0) return sizeBytes
  throw new ApiError('invalid_request', 'Content-Length must be the number of bytes of the archive')
}
