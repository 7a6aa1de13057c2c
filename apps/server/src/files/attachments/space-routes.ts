import { Attachment, SpaceAttachmentParams, StorageStatus } from '@foyer/protocol/attachments'
import { Permission } from '@foyer/protocol/permissions'
import { SpaceParams } from '@foyer/protocol/spaces'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Grant } from '#src/files/objects/queries.ts'
import { attachmentOf } from '#src/files/objects/rows.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { deleteAllSpaceAttachments, deleteSpaceAttachment } from './actions.ts'
import { findStorageStatus, listSpaceImages } from './queries.ts'

export interface SpaceAttachmentDeps {
  database: Database
  snapshots: Snapshots
  ownLimits: Grant
}

const tags = ['Attachments']

export function spaceAttachmentRoutes(app: App, deps: SpaceAttachmentDeps): void {
  listRoute(app, deps)
  storageRoute(app, deps)
  deleteRoute(app, deps)
  deleteAllRoute(app, deps)
}

function access(
  { snapshots }: SpaceAttachmentDeps,
  { caller, params }: FastifyRequest<{ Params: { spaceId: string } }>,
) {
  return accessSpace(snapshots, caller, params.spaceId, Permission.ManageSpaceAttachments)
}

function listRoute(app: App, deps: SpaceAttachmentDeps): void {
  const schema = {
    tags,
    summary: 'List Space Attachments',
    params: SpaceParams,
    response: { 200: Type.Array(Attachment) },
  }
  app.get('/api/spaces/:spaceId/attachments', { schema }, async (request) => {
    const { spaceId } = await access(deps, request)
    const images = await listSpaceImages(deps.database, spaceId)
    return images.map(attachmentOf)
  })
}

function storageRoute(app: App, deps: SpaceAttachmentDeps): void {
  const schema = {
    tags,
    summary: 'Get Space Storage Usage',
    params: SpaceParams,
    response: { 200: StorageStatus },
  }
  app.get('/api/spaces/:spaceId/attachments/storage', { schema }, async (request) => {
    const { spaceId } = await access(deps, request)
    return findStorageStatus(deps.database, spaceId, deps.ownLimits)
  })
}

function deleteRoute(app: App, deps: SpaceAttachmentDeps): void {
  const schema = {
    tags,
    summary: 'Delete Space Attachment',
    params: SpaceAttachmentParams,
    response: { 204: Type.Null() },
  }
  app.delete(
    '/api/spaces/:spaceId/attachments/:attachmentId',
    { config: human, schema },
    async (request, reply) => {
      await deleteSpaceAttachment(deps, await access(deps, request), request.params.attachmentId)
      return reply.code(204).send(null)
    },
  )
}

function deleteAllRoute(app: App, deps: SpaceAttachmentDeps): void {
  const schema = {
    tags,
    summary: 'Delete All Space Attachments',
    params: SpaceParams,
    response: { 204: Type.Null() },
  }
  app.delete('/api/spaces/:spaceId/attachments', { config: human, schema }, async (request, reply) => {
    await deleteAllSpaceAttachments(deps, await access(deps, request))
    return reply.code(204).send(null)
  })
}
