import { MAX_IMAGE_BYTES } from '@foyer/protocol/limits'
import { claimImages } from '#src/files/images/actions.ts'
import { imageFits } from '#src/files/images/fields.ts'
import type { FileTarget } from '#src/files/objects/reservation.ts'
import { kinds } from '#src/files/space-images/kinds.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { newId } from '#src/kernel/ids.ts'
import type { ArchivedImage } from '../format.ts'
import type { Archive } from '../reading/archive.ts'
import { keepBuilding } from './keeping.ts'
import type { Plan } from './plan.ts'
import { insertImages } from './queries.ts'
import { EntryStore, type StoringDeps } from './stored-entries.ts'

const LOOK = { filename: 'picture', contentType: 'application/octet-stream' }

export interface BuiltPictures {
  icon: string | null
  banner: string | null
  /** Number of pictures that were too large or did not fit, and of emojis and stickers without a picture in the archive. */
  leftOut: number
}

/** Stores the pictures of the space, its emojis and its stickers. Notes the new ids in the plan. */
export async function buildPictures(
  deps: StoringDeps & { database: Database },
  archive: Archive,
  plan: Plan,
): Promise<BuiltPictures> {
  const store = pictureStore(deps, archive, plan)
  const [icon, banner] = [await store('pictures/icon', 'icon'), await store('pictures/banner', 'banner')]
  const { emojis, stickers } = plan.space
  let built = 0
  for (const image of emojis) built += await buildImage(deps, plan, 'emoji', { image, store })
  for (const image of stickers) built += await buildImage(deps, plan, 'sticker', { image, store })
  const shown = [icon, banner].flatMap((file) => file?.id ?? [])
  await deps.database.transaction(async (transaction) => {
    await keepBuilding(transaction, plan.spaceId)
    await claimImages(transaction, plan.spaceId, shown)
  })
  const lost = ['pictures/icon', 'pictures/banner'].filter((name) => archive.has(name)).length - shown.length
  const leftOut = emojis.length + stickers.length - built + lost
  return { icon: icon?.id ?? null, banner: banner?.id ?? null, leftOut }
}

type Store = ReturnType<typeof pictureStore>

function pictureStore(deps: StoringDeps, archive: Archive, { spaceId, ownerId }: Plan) {
  const fits = { ...imageFits, emoji: kinds.emoji.fit, sticker: kinds.sticker.fit }
  const entries = new EntryStore(deps, archive)
  return (name: string, purpose: 'icon' | 'banner' | 'emoji' | 'sticker') => {
    const target: FileTarget = { tenantId: spaceId, ownerId, purpose, fit: fits[purpose], where: 'bucket' }
    return entries.store(target, { name, look: LOOK, maxBytes: MAX_IMAGE_BYTES })
  }
}

/** @returns 1 if the emoji or sticker was stored, 0 if it was left out */
async function buildImage(
  { database }: { database: Database },
  plan: Plan,
  kind: 'emoji' | 'sticker',
  { image, store }: { image: ArchivedImage; store: Store },
): Promise<number> {
  const file = await store(`${kind}s/${image.id}`, kind)
  if (file === undefined) return 0
  const id = newId()
  const { spaceId, ownerId: creator_id } = plan
  await database.transaction(async (transaction) => {
    await keepBuilding(transaction, spaceId)
    await claimImages(transaction, spaceId, [file.id])
    const row = { kind, id, name: image.name, attachment_id: file.id, creator_id, animated: file.animated }
    await insertImages(transaction, spaceId, [row])
  })
  plan[`${kind}s`].set(image.id, id)
  return 1
}
