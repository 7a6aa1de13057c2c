import { BucketParams, BucketTrial, CreateBucketBody, UpdateBucketBody } from '@foyer/protocol/buckets'
import { Permission } from '@foyer/protocol/permissions'
import { SpaceParams } from '@foyer/protocol/spaces'
import { type App, human } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { accessBucket } from './access.ts'
import { pageOrigin } from './page-origin.ts'
import { readChangedSettings, readSettings } from './settings-body.ts'
import { type TrialDeps, tryBucket, tryNewBucket } from './trials.ts'

type Deps = TrialDeps & { snapshots: Snapshots; config: { publicUrl: string | undefined } }

const tags = ['Storage buckets']
const { ManageSpaceBuckets } = Permission

/** Routes that test a bucket before its settings are saved. */
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
    response: { 200: BucketTrial },
  }
  app.post('/api/spaces/:spaceId/buckets/test', { config: human, schema }, async (request) => {
    const { caller, params } = request
    const enter = () => accessSpace(deps.snapshots, caller, params.spaceId, ManageSpaceBuckets)
    await enter()
    const body = await readSettings(request)
    const { direct_upload } = await tryNewBucket(deps, await enter(), body, pageOrigin(request, deps.config))
    return { direct_upload }
  })
}

function tryChangeRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Test Space Bucket',
    params: BucketParams,
    body: UpdateBucketBody,
    response: { 200: BucketTrial },
  }
  app.post('/api/spaces/:spaceId/buckets/:bucketId/test', { config: human, schema }, async (request) => {
    const { caller, params } = request
    const enter = () => accessSpace(deps.snapshots, caller, params.spaceId, ManageSpaceBuckets)
    const { id: bucketId } = await accessBucket(deps.database, await enter(), params.bucketId)
    const body = await readChangedSettings(request)
    const origin = pageOrigin(request, deps.config)
    return { direct_upload: await tryBucket(deps, await enter(), { bucketId, body, origin }) }
  })
}
