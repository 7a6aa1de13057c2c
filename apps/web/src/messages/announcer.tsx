import { useEffect, useState } from 'react'
import { useAppState } from '#src/session/context.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import { wordsOf } from './words.ts'

/** Says what others write in the open room while it is open; not what was there, nor what is scrolled to. */
export function Announcer({ roomId, nameOf }: { roomId: string; nameOf: NameLookup }) {
  const myId = useAppState((state) => state.me?.id)
  const newest = useAppState((state) => state.timelines[roomId]?.messages.at(-1))
  const isPresent = useAppState((state) => state.timelines[roomId]?.hasNewer === false)
  const [heardSeq, setHeardSeq] = useState<number | null>(null)
  const [words, setWords] = useState('')

  useEffect(() => {
    if (newest === undefined || !isPresent) return
    setHeardSeq((heard) => Math.max(heard ?? 0, newest.seq))
    const isLive = heardSeq !== null && newest.seq > heardSeq
    if (isLive && newest.author.id !== myId)
      setWords(`${nameOf(newest.author, newest.member)}: ${wordsOf(newest)}`)
  }, [newest, isPresent, heardSeq, myId, nameOf])

  return (
    <div className="visually-hidden" aria-live="polite">
      {words}
    </div>
  )
}
