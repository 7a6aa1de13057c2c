import type { SpaceImage } from '@foyer/protocol/space-images'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { SpaceImageKind } from '#src/spaces/queries.ts'

/** The emojis or the stickers of one space. */
export interface Collection {
  spaceId: string
  kind: SpaceImageKind
}

/** Lists images, oldest first. */
export async function listImages(database: Queryable, { spaceId, kind }: Collection): Promise<SpaceImage[]> {
  return database.query<SpaceImage>(sql`
    select space_id, id, name, attachment_id, creator_id, animated, created_at
    from space_images where space_id = ${spaceId} and kind = ${kind}
    order by id`)
}

export async function findImage(
  database: Queryable,
  { spaceId, kind }: Collection,
  id: string,
): Promise<SpaceImage | undefined> {
  const [image] = await database.query<SpaceImage>(sql`
    select space_id, id, name, attachment_id, creator_id, animated, created_at
    from space_images where space_id = ${spaceId} and kind = ${kind} and id = ${id}`)
  return image
}

/** Counts the images. The number cannot grow while the caller holds the space's lock. */
export async function countImages(transaction: Queryable, { spaceId, kind }: Collection): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(
    sql`select count(*) from space_images where space_id = ${spaceId} and kind = ${kind}`,
  )
  return row?.count ?? 0
}

export interface NewImage {
  id: string
  name: string
  attachmentId: string
  creatorId: string
  animated: boolean
}

/** Fails on the index `space_images_name` if another image of the same kind has the name, whatever its case. */
export async function insertImage(
  transaction: Queryable,
  { spaceId, kind }: Collection,
  image: NewImage,
): Promise<SpaceImage> {
  const [inserted] = await transaction.query<SpaceImage>(sql`
    insert into space_images (space_id, kind, id, name, attachment_id, creator_id, animated)
    values (${spaceId}, ${kind}, ${image.id}, ${image.name}, ${image.attachmentId}, ${image.creatorId}, ${image.animated})
    returning space_id, id, name, attachment_id, creator_id, animated, created_at`)
  if (inserted === undefined) throw new Error('the new picture cannot be read')
  return inserted
}

/** Renames the image. Fails like `insertImage` if the name is taken. */
export async function saveName(
  transaction: Queryable,
  { spaceId, kind }: Collection,
  { id, name }: Pick<SpaceImage, 'id' | 'name'>,
): Promise<void> {
  await transaction.query(sql`
    update space_images set name = ${name} where space_id = ${spaceId} and kind = ${kind} and id = ${id}`)
}

export type DeletedImage = Pick<SpaceImage, 'space_id' | 'id' | 'attachment_id'> & { kind: SpaceImageKind }

export async function deleteImageRow(
  transaction: Queryable,
  { spaceId, kind }: Collection,
  id: string,
): Promise<DeletedImage[]> {
  return transaction.query<DeletedImage>(sql`
    delete from space_images where space_id = ${spaceId} and kind = ${kind} and id = ${id}
    returning space_id, kind, id, attachment_id`)
}

/** Deletes the emojis and stickers made from the attachments; all of the space if `attachmentIds` is null. */
export async function deleteImageRowsOf(
  transaction: Queryable,
  spaceId: string,
  attachmentIds: readonly string[] | null,
): Promise<DeletedImage[]> {
  return transaction.query<DeletedImage>(sql`
    with gone as (
      delete from space_images
      where space_id = ${spaceId}
        and (${attachmentIds}::uuid[] is null or attachment_id = any(${attachmentIds}::uuid[]))
      returning space_id, kind, id, attachment_id
    )
    select * from gone order by id`)
}
