import { useEffect, useState } from 'react'
import { type EmojiGroup, loadEmojiGroups } from './emoji-data.ts'

/** Shared by all pickers. Reset after a failure, so that the next picker tries again. */
let loaded: Promise<EmojiGroup[]> | null = null

/** Returns all Unicode emojis; undefined while loading, null after a failure. */
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
