import { Tabs } from '@base-ui/react/tabs'
import { AtSign } from 'lucide-react'
import type { UIEvent } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { useNames } from '#src/members/use-names.ts'
import { groupsOf, type HitGroup } from '#src/search/hit-groups.ts'
import { HitList } from '#src/search/hit-list.tsx'
import { useAppState } from '#src/session/context.ts'
import { showsUnread } from '#src/store/selectors.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { isNearEnd } from '#src/ui/is-near-end.ts'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import '#src/ui/tabs.css'
import { Count } from '#src/ui/marks/count.tsx'
import './mentions-dialog.css'
import { FollowedThreads } from './followed-threads.tsx'
import { MentionLocation } from './mention-location.tsx'
import { useMentions } from './use-mentions.ts'

/** Mentions of the user in all channels, with links to the messages, and the threads that they follow. */
export function MentionsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal open onOpenChange={onClose} title={t('Mentions')}>
      <Tabs.Root className="inbox" defaultValue="mentions">
        <Tabs.List className="tab-list" aria-label={t('Mentions, threads and posts')}>
          <Tabs.Tab className="tab" value="mentions">
            {t('Mentions')}
          </Tabs.Tab>
          <Tabs.Tab className="tab" value="threads">
            {t('Threads and posts')}
            <UnreadThreads />
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="mentions">
          <Mentions onOpen={onClose} />
        </Tabs.Panel>
        <Tabs.Panel value="threads">
          <FollowedThreads onOpen={onClose} />
        </Tabs.Panel>
      </Tabs.Root>
    </Modal>
  )
}

/** Number of followed threads with unread messages. */
function UnreadThreads() {
  const count = useAppState(
    (state) => Object.keys(state.threads).filter((id) => showsUnread(state, id)).length,
  )
  if (count === 0) return null
  return (
    <>
      <span aria-hidden="true">
        <Count count={count} />
      </span>
      <span className="visually-hidden">{counted(count, '{count} unread', '{count} unread')}</span>
    </>
  )
}

function Mentions({ onOpen }: { onOpen: () => void }) {
  const { answer, again, messages, hasOlder, isSearching, loadOlder, older } = useMentions()

  function onScroll({ currentTarget }: UIEvent<HTMLElement>) {
    // After an error only the button retries, not every scroll event.
    if (hasOlder && older.error === null && isNearEnd(currentTarget)) loadOlder()
  }

  return (
    <div className="mentions" onScroll={onScroll}>
      {(answer.state === 'loading' || isSearching) && <Skeleton rows={4} />}
      {answer.state === 'failed' && <LoadError message={answer.message} again={again} />}
      <p className="visually-hidden" role="status">
        {answer.state === 'here' && !isSearching && inWords(messages.length, hasOlder)}
      </p>
      {answer.state === 'here' && messages.length === 0 && !hasOlder && <NoMentions />}
      {groupsOf(messages).map((group) => (
        <MentionGroup key={group[0].id} group={group} onOpen={onOpen} />
      ))}
      {older.error !== null && (
        <p role="alert" className="form-error">
          {older.error}
        </p>
      )}
      {hasOlder && !isSearching && (
        <Button className="mentions-older" pending={older.pending} onClick={loadOlder}>
          {t('Show more')}
        </Button>
      )}
    </div>
  )
}

/** Status text for screen readers. */
function inWords(count: number, hasOlder: boolean): string {
  if (hasOlder) return counted(count, 'At least {count} mention', 'At least {count} mentions')
  if (count === 0) return t('No mentions yet')
  return counted(count, '{count} mention', '{count} mentions')
}

function MentionGroup({ group, onOpen }: { group: HitGroup; onOpen: () => void }) {
  const nameOf = useNames(group[0].space_id ?? '')
  return (
    <section className="mention-group">
      <MentionLocation message={group[0]} />
      <HitList messages={group} text="" nameOf={nameOf} onOpen={onOpen} />
    </section>
  )
}

function NoMentions() {
  return (
    <EmptyNote icon={<AtSign />} title={t('No mentions yet')}>
      {t('Replies and mentions from all your spaces and conversations appear here.')}
    </EmptyNote>
  )
}
