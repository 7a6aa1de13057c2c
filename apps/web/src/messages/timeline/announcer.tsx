import { useEffect, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { nameOfAuthor } from '#src/members/author-name.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { wordsOf } from '../content/message-words.ts'

/** Announces other people's new messages to screen readers while the channel is open. */
export function Announcer() {
  const { store } = useSession()
  const channel = useChannel()
  const { id } = channel
  const myId = useAppState((state) => state.me?.id)
  const newest = useAppState((state) => state.timelines[id]?.messages.at(-1))
  const isPresent = useAppState((state) => state.timelines[id]?.hasNewer === false)
  const [announcedSeq, setAnnouncedSeq] = useState<number | null>(null)
  const [words, setWords] = useState('')

  useEffect(() => {
    if (newest === undefined || !isPresent) return
    setAnnouncedSeq((previous) => Math.max(previous ?? 0, newest.seq))
    const isLive = announcedSeq !== null && newest.seq > announcedSeq
    if (isLive && newest.author.id !== myId && !(newest.author.id in store.get().blocks))
      setWords(`${nameOfAuthor(newest, channel.nameOf)}: ${wordsOf(store.get(), channel, newest)}`)
  }, [newest, isPresent, announcedSeq, myId, channel, store])

  return (
    <div className="visually-hidden" aria-live="polite">
      {words}
    </div>
  )
}
