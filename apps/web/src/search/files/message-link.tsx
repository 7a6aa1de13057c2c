import type { Message } from '@foyer/protocol/messages'
import { MessageSquareText } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Hint } from '#src/ui/buttons/icon-button.tsx'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { messagePath } from '../message-path.ts'

/** An icon that links to the message of a file. */
export function MessageLink({ message, onOpen }: { message: Message; onOpen: () => void }) {
  return (
    <Hint label={t('Go to message')}>
      <PageLink
        href={messagePath(message)}
        className="icon-button"
        aria-label={t('Go to message')}
        onClick={onOpen}
      >
        <MessageSquareText aria-hidden="true" />
      </PageLink>
    </Hint>
  )
}
