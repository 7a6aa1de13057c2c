import { useEffect, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { nameOfAuthor } from './author-name.ts'
import { wordsOf } from './words.ts'

/** Says what others write in the open channel while it is open; not what was there, nor what is scrolled to. */
export function Announcer() {
  const { store } = useSession()
  const channel = useChannel()
  const { id } = channel
  const myId = useAppState((state) => state.me?.id)
  const newest = useAppState((state) => state.timelines[id]?.messages.at(-1))
  const isPresent = useAppState((state) => state.timelines[id]?.hasNewer === false)
  const [heardSeq, setHeardSeq] = useState<number | null>(null)
  const [words, setWords] = useState('')

  useEffect(() => {
    if (newest === undefined || !isPresent) return
    setHeardSeq((heard) => Math.max(heard ?? 0, newest.seq))
    const isLive = heardSeq !== null && newest.seq > heardSeq
    if (isLive && newest.author.id !== myId && !(newest.author.id in store.get().blocks))
      setWords(`${nameOfAuthor(newest, channel.nameOf)}: ${wordsOf(store.get(), channel, newest)}`)
  }, [newest, isPresent, heardSeq, myId, channel, store])

  return (
    <div className="visually-hidden" aria-live="polite">
      {words}
    </div>
  )
}
