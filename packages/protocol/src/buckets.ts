import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'

/** The secret access key can be set and never appears in an answer. */
export const StorageBucket = Type.Object(
  {
    id: Uuid(),
    space_id: Uuid(),
    name: Type.String(),
    endpoint: Type.String({ description: 'empty for the included storage' }),
    region: Nullable(Type.String()),
    bucket_name: Type.String({ description: 'empty for the included storage' }),
    access_key_id: Type.String({ description: 'empty for the included storage' }),
    use_path_style: Type.Boolean({ description: 'path-style instead of virtual-hosted addressing' }),
    max_bytes: Nullable(Type.Integer()),
    upload_limit_bytes: Nullable(Type.Integer()),
    used_bytes: Type.Integer(),
    active: Type.Boolean({ description: 'whether new uploads go to it' }),
    direct_upload: Type.Boolean({
      description: 'whether browsers upload to it directly; if not, uploads go through the server',
    }),
    included: Type.Boolean({ description: "whether it is the space's share of the server's own storage" }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'StorageBucket' },
)
export type StorageBucket = Static<typeof StorageBucket>

/** A size that the server validates after the schema, so that the error has the text of the specification. */
const Bytes = () =>
  Type.Optional(
    Type.Unsafe<number | null>({ description: 'a positive integer of bytes, or null for no limit' }),
  )

const Endpoint = () => Type.String({ minLength: 1, maxLength: limits.urlMax, description: 'http or https' })
const Region = () =>
  Nullable(Type.String({ pattern: '^[A-Za-z0-9-]{0,64}$', description: 'letters, digits and hyphens' }))
/** Has no slashes and does not begin with a dot, because the name becomes part of a host name or path. */
const BucketName = () =>
  Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$',
    description: '1 to 255 letters, digits, dots, hyphens and underscores',
  })
/** A key of visible ASCII characters, because it is sent in headers. */
const Key = (max: number) =>
  Type.String({ pattern: `^[!-~]{1,${max}}$`, description: `1 to ${max} visible characters` })

export const CreateBucketBody = Type.Object({
  name: Text(1, limits.nameMax),
  endpoint: Endpoint(),
  region: Type.Optional(Region()),
  bucket_name: BucketName(),
  access_key_id: Key(256),
  secret_access_key: Key(1024),
  use_path_style: Type.Optional(Type.Boolean()),
  max_bytes: Bytes(),
  upload_limit_bytes: Bytes(),
})
export type CreateBucketBody = Static<typeof CreateBucketBody>

/** Omitted fields stay unchanged. */
export const UpdateBucketBody = Type.Partial(CreateBucketBody)
export type UpdateBucketBody = Static<typeof UpdateBucketBody>

export const BucketParams = Type.Object({ spaceId: Uuid(), bucketId: Uuid() })

/** The result of testing a bucket. */
export const BucketTrial = Type.Object(
  { direct_upload: Type.Boolean({ description: 'whether browsers can upload to it directly' }) },
  { title: 'BucketTrial' },
)
export type BucketTrial = Static<typeof BucketTrial>

export const BucketUsage = Type.Object(
  { file_count: Type.Integer({ description: 'files in use, which are deleted with the bucket' }) },
  { title: 'BucketUsage' },
)
export type BucketUsage = Static<typeof BucketUsage>
