import type { SpaceEntry } from '#src/store/state.ts'
import { stickerKind } from '../space-images/image-kind.ts'
import { ImagesSection } from '../space-images/images-section.tsx'

export function StickersSection({ space }: { space: SpaceEntry }) {
  return <ImagesSection space={space} kind={stickerKind} />
}
