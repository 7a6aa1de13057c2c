import type { SpaceEntry } from '#src/store/state.ts'
import { emojiKind } from '../space-images/image-kind.ts'
import { ImagesSection } from '../space-images/images-section.tsx'

export function EmojisSection({ space }: { space: SpaceEntry }) {
  return <ImagesSection space={space} kind={emojiKind} />
}
