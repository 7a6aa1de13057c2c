import { type Static, Type } from 'typebox'
import { limits, MAX_MESSAGE_FILES } from './limits.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'

/** Specification 2.3. No response schema contains a file's storage, uploader or expiry. */
export const Attachment = Type.Object(
  {
    id: Uuid(),
    message_id: Nullable(Uuid('null for images of emojis and stickers')),
    filename: Type.String(),
    description: Nullable(Type.String({ description: 'alternative text; null if there is none' })),
    content_type: Type.String({ description: 'MIME type' }),
    size_bytes: Type.Integer(),
    width: Nullable(Type.Integer({ description: 'pixels; images and videos' })),
    height: Nullable(Type.Integer({ description: 'pixels; images and videos' })),
    created_at: Timestamp(),
    deleted_at: Nullable(Timestamp()),
    url: Type.Optional(
      Type.String({ description: 'signed, for at least 24 hours; message attachments only' }),
    ),
  },
  { title: 'Attachment' },
)
export type Attachment = Static<typeof Attachment>

/** A file name that no system reads as a path, and that cannot change the text direction. */
export const Filename = () =>
  Type.String({
    minLength: 1,
    maxLength: limits.filenameMax,
    pattern:
      '^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$',
    description: 'a file name without a path, control characters or text direction marks',
  })

/** A MIME type. Parameters after the type are ignored. */
export const ContentType = () =>
  Type.String({
    maxLength: limits.contentTypeMax,
    pattern: '^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*( *;.*)?$',
    description: 'a MIME type',
  })

/** Alternative text, which may have several lines. An empty text means null. */
const FileDescription = () =>
  Type.Optional(
    Nullable({
      ...Text(0, limits.descriptionMax),
      pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$',
      description: 'alternative text without control characters other than tabs and line breaks',
    }),
  )

/** A file of a message, and its alternative text. */
export const DescribedFile = Type.Object(
  {
    id: Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      maxLength: 64,
      description:
        'one of `attachment_ids`; or a number n: the file in the field `files[n]`, or in fields without numbers the n-th file, from 0',
    }),
    description: FileDescription(),
  },
  { title: 'DescribedFile' },
)
export type DescribedFile = Static<typeof DescribedFile>

export const DescribedFiles = Type.Array(DescribedFile, {
  maxItems: MAX_MESSAGE_FILES,
  description: "alternative texts of the message's files",
})

export const CreateUploadBody = Type.Object({
  filename: Filename(),
  size_bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  content_type: ContentType(),
  description: FileDescription(),
})
export type CreateUploadBody = Static<typeof CreateUploadBody>

/** The target of a direct upload. The file belongs to the message that names it in `attachment_ids`. */
export const Upload = Type.Object(
  {
    attachment_id: Uuid(),
    upload: Type.Object({
      url: Type.String(),
      method: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
    }),
    expires_at: Timestamp(),
  },
  { title: 'Upload' },
)
export type Upload = Static<typeof Upload>

export const SignedUrl = Type.Object({ url: Type.String() }, { title: 'SignedUrl' })
export type SignedUrl = Static<typeof SignedUrl>

export const StorageStatus = Type.Object(
  {
    used_bytes: Type.Integer({ description: 'size of all files of the space, in any storage' }),
    max_bytes: Nullable(Type.Integer({ description: 'of the active bucket' })),
    upload_limit_bytes: Nullable(Type.Integer({ description: 'of the active bucket' })),
  },
  { title: 'StorageStatus' },
)
export type StorageStatus = Static<typeof StorageStatus>

export const AttachmentParams = Type.Object({ attachmentId: Uuid() })
export const SpaceAttachmentParams = Type.Object({ spaceId: Uuid(), attachmentId: Uuid() })
/** Accepts a repeated query parameter as a list: the list is no valid signature, but a public picture needs no signature. */
const Parameter = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }))
export const DownloadQuery = Type.Object({
  sig: Parameter('from the url of a message attachment'),
  exp: Parameter('from the url of a message attachment'),
  stream: Parameter('1 sends the file itself instead of redirecting'),
})
export type DownloadQuery = Static<typeof DownloadQuery>
