import { useEffect, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { useAppState } from '#src/session/context.ts'
import { wordsOf } from './words.ts'

/** Says what others write in the open channel while it is open; not what was there, nor what is scrolled to. */
export function Announcer() {
  const { id, nameOf } = useChannel()
  const myId = useAppState((state) => state.me?.id)
  const newest = useAppState((state) => state.timelines[id]?.messages.at(-1))
  const isPresent = useAppState((state) => state.timelines[id]?.hasNewer === false)
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
