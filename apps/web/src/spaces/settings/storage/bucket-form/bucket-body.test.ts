import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StorageBucket } from '@foyer/protocol/buckets'
import { bucketChange } from './bucket-body.ts'

const settings = {
  name: 'Ours',
  endpoint: 'https://s3.example.org',
  region: null,
  bucket_name: 'files',
  access_key_id: 'key',
  use_path_style: true,
  max_bytes: null,
  upload_limit_bytes: 1024,
}

const bucket: StorageBucket = {
  ...settings,
  id: 'bucket',
  space_id: 'space',
  used_bytes: 0,
  active: true,
  direct_upload: true,
  included: false,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

test('unchanged fields are not sent, including the secret', () => {
  assert.deepEqual(bucketChange(bucket, { ...settings, secret_access_key: '' }), {})
})

test('changed fields are sent, including null and false', () => {
  const changed = { ...settings, upload_limit_bytes: null, use_path_style: false, name: 'Mine' }
  assert.deepEqual(bucketChange(bucket, { ...changed, secret_access_key: 'secret' }), {
    upload_limit_bytes: null,
    use_path_style: false,
    name: 'Mine',
    secret_access_key: 'secret',
  })
})
