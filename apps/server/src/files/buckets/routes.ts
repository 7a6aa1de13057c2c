import {
  BucketParams,
  BucketUsage,
  CreateBucketBody,
  StorageBucket,
  UpdateBucketBody,
} from '@foyer/protocol/buckets'
import { Permission } from '@foyer/protocol/permissions'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import { type App, human, updateMethods } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { accessBucket } from './access.ts'
import { type BucketDeps, createBucket, createIncludedBucket, updateBucket } from './actions/buckets.ts'
import { activateBucket, deactivateBucket, deleteBucket } from './actions/placement.ts'
import { pageOrigin } from './page-origin.ts'
import { countShownFiles, listBuckets } from './queries.ts'
import { readSettings } from './settings-body.ts'
import { bucketTrialRoutes } from './trial-routes.ts'

type Deps = BucketDeps & { snapshots: Snapshots; config: { publicUrl: string | undefined } }

const tags = ['Storage buckets']
const { ManageSpaceBuckets } = Permission
const switchMethods: ['POST', 'PUT'] = ['POST', 'PUT']

export function bucketRoutes(app: App, deps: Deps): void {
  listRoute(app, deps)
  usageRoute(app, deps)
  createRoute(app, deps)
  createIncludedRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
  activateRoute(app, deps)
  deactivateRoute(app, deps)
  bucketTrialRoutes(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'List Space Buckets',
    params: SpaceParams,
    response: { 200: Type.Array(StorageBucket) },
  }
  app.get('/api/spaces/:spaceId/buckets', { config: human, schema }, async (request) => {
    const { caller, params } = request
    const { spaceId } = await accessSpace(deps.snapshots, caller, params.spaceId, ManageSpaceBuckets)
    return listBuckets(deps.database, spaceId)
  })
}

function usageRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Get Space Bucket Usage',
    params: BucketParams,
    response: { 200: BucketUsage },
  }
  app.get('/api/spaces/:spaceId/buckets/:bucketId/usage', { config: human, schema }, async (request) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageSpaceBuckets)
    const bucket = await accessBucket(deps.database, access, params.bucketId)
    return { file_count: await countShownFiles(deps.database, bucket) }
  })
}

function createRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Create Space Bucket',
    params: SpaceParams,
    body: CreateBucketBody,
    response: { 200: StorageBucket },
  }
  app.post('/api/spaces/:spaceId/buckets', { config: human, schema }, async (request) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageSpaceBuckets)
    return createBucket(deps, access, await readSettings(request), pageOrigin(request, deps.config))
  })
}

function createIncludedRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Add Included Storage',
    params: SpaceParams,
    response: { 200: StorageBucket },
  }
  app.post('/api/spaces/:spaceId/buckets/included', { config: human, schema }, async (request) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageSpaceBuckets)
    return createIncludedBucket(deps, access)
  })
}

function updateRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Update Space Bucket',
    params: BucketParams,
    body: UpdateBucketBody,
    response: { 200: StorageBucket },
  }
  app.route({
    method: updateMethods,
    url: '/api/spaces/:spaceId/buckets/:bucketId',
    config: human,
    schema,
    handler: async (request) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageSpaceBuckets)
      const { id: bucketId } = await accessBucket(deps.database, access, params.bucketId)
      const origin = pageOrigin(request, deps.config)
      return updateBucket(deps, access, { bucketId, body: await readSettings(request), origin })
    },
  })
}

function deleteRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Delete Space Bucket',
    params: BucketParams,
    response: { 204: Type.Null() },
  }
  app.delete('/api/spaces/:spaceId/buckets/:bucketId', { config: human, schema }, async (request, reply) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageSpaceBuckets)
    await deleteBucket(deps, access, params.bucketId)
    return reply.code(204).send(null)
  })
}

function activateRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Activate Space Bucket',
    params: BucketParams,
    response: { 204: Type.Null() },
  }
  app.route({
    method: switchMethods,
    url: '/api/spaces/:spaceId/buckets/:bucketId/activate',
    config: human,
    schema,
    handler: async (request, reply) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageSpaceBuckets)
      await activateBucket(deps, access, params.bucketId)
      return reply.code(204).send(null)
    },
  })
}

function deactivateRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Deactivate Space Bucket',
    params: BucketParams,
    response: { 204: Type.Null() },
  }
  app.route({
    method: switchMethods,
    url: '/api/spaces/:spaceId/buckets/:bucketId/deactivate',
    config: human,
    schema,
    handler: async (request, reply) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, ManageSpaceBuckets)
      await deactivateBucket(deps, access, params.bucketId)
      return reply.code(204).send(null)
    },
  })
}
