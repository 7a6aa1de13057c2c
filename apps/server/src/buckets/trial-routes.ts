import { BucketParams, CreateBucketBody, UpdateBucketBody } from '@foyer/protocol/buckets'
import { Permission } from '@foyer/protocol/permissions'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import { readBody, readOptionalBody } from '#src/kernel/http/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { accessBucket } from './access.ts'
import { pageOrigin } from './page-origin.ts'
import { type TrialDeps, tryBucket, tryNewBucket } from './trials.ts'

type Deps = TrialDeps & { snapshots: Snapshots; config: { publicUrl: string | undefined } }

const tags = ['Storage buckets']
const { ManageSpaceBuckets } = Permission

/** Whether a bucket works, before its settings are kept. */
export function bucketTrialRoutes(app: App, deps: Deps): void {
  tryNewRoute(app, deps)
  tryChangeRoute(app, deps)
}

function tryNewRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Test New Space Bucket',
    params: SpaceParams,
    body: CreateBucketBody,
    response: { 204: Type.Null() },
  }
  app.post('/api/spaces/:spaceId/buckets/test', { config: human, schema }, async (request, reply) => {
    const { caller, params } = request
    const enter = () => accessSpace(deps.snapshots, caller, params.spaceId, ManageSpaceBuckets)
    await enter()
    const body = await readBody(request)
    await tryNewBucket(deps, await enter(), body, pageOrigin(request, deps.config))
    return reply.code(204).send(null)
  })
}

function tryChangeRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Test Space Bucket',
    params: BucketParams,
    body: UpdateBucketBody,
    response: { 204: Type.Null() },
  }
  app.post(
    '/api/spaces/:spaceId/buckets/:bucketId/test',
    { config: human, schema },
    async (request, reply) => {
      const { caller, params } = request
      const enter = () => accessSpace(deps.snapshots, caller, params.spaceId, ManageSpaceBuckets)
      const { id: bucketId } = await accessBucket(deps.database, await enter(), params.bucketId)
      const body = await readOptionalBody(request)
      await tryBucket(deps, await enter(), { bucketId, body, origin: pageOrigin(request, deps.config) })
      return reply.code(204).send(null)
    },
  )
}
