import { useEffect, useState } from 'react'
import { type EmojiGroup, loadEmojiGroups } from './emoji-data.ts'

/** Once for all pickers; asked for again after it failed. */
let loaded: Promise<EmojiGroup[]> | null = null

/** All emojis of Unicode; undefined while they are on their way, null when they did not come. */
export function useEmojiGroups(): readonly EmojiGroup[] | undefined | null {
  const [groups, setGroups] = useState<readonly EmojiGroup[] | null>()

  useEffect(() => {
    let isHere = true
    loaded ??= loadEmojiGroups()
    loaded.then(
      (all) => isHere && setGroups(all),
      () => {
        loaded = null
        if (isHere) setGroups(null)
      },
    )
    return () => {
      isHere = false
    }
  }, [])

  return groups
}
