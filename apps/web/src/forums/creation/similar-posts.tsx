import { MIN_SIMILAR_CHARACTERS } from '@foyer/protocol/limits'
import type { Thread } from '@foyer/protocol/thread-rooms'
import { Forums } from '@foyer/sdk/api/forums'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { threadPath } from '#src/thread-rooms/list/thread-path.ts'
import { PageLink } from '#src/ui/buttons/page-link.tsx'

/** Time without typing after which similar titles are looked up. */
const PAUSE_MS = 300

/** Posts whose titles resemble the typed one, which may hold the answer. */
export function SimilarPosts({ forumId, title }: { forumId: string; title: string }) {
  const threads = useSimilar(forumId, title.trim())
  return (
    <div role="status">
      {threads.length > 0 && (
        <section aria-label={t('Similar posts')}>
          <p className="field-label">{t('Similar posts')}</p>
          <ul className="similar-posts">
            {threads.map((thread) => (
              <li key={thread.id}>
                <PageLink href={threadPath(thread)} dir="auto">
                  {thread.title}
                </PageLink>
                {(thread.solved_message_id ?? null) !== null && (
                  <CircleCheck aria-label={t('Solved')} role="img" />
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const NONE: readonly Thread[] = []

function useSimilar(forumId: string, title: string): readonly Thread[] {
  const { client } = useSession()
  const [found, setFound] = useState(NONE)

  useEffect(() => {
    if (title.length < MIN_SIMILAR_CHARACTERS) return setFound(NONE)
    const asking = new AbortController()
    const { signal } = asking
    async function ask() {
      // Suggestions are an aid: without them, the form works as usual.
      const answer = await client
        .api(Forums)
        .listSimilar(forumId, title, { signal })
        .catch(() => null)
      if (!signal.aborted) setFound(answer?.threads ?? NONE)
    }
    const pause = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      clearTimeout(pause)
      asking.abort()
    }
  }, [client, forumId, title])

  return found
}
