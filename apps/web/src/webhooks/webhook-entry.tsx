import { Menu } from '@base-ui/react/menu'
import type { Webhook } from '@foyer/protocol/webhooks'
import { Copy, Pencil, Trash2 } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { avatarIdOfWebhook } from '#src/members/author-name.ts'
import { useNames } from '#src/members/use-names.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState } from '#src/session/context.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import '#src/ui/popups/menu.css'
import { type Copying, useCopy } from '#src/ui/buttons/use-copy.ts'
import { DeleteWebhook } from './delete-webhook.tsx'
import { sourceText } from './source-text.ts'
import { webhookFormats, webhookUrl } from './webhook-urls.ts'

interface WebhookEntryProps {
  webhook: Webhook
  /** Receives the focus when the webhook is deleted. */
  focusAfter: RefObject<HTMLElement | null>
  onEdit: () => void
  onDelete: (webhookId: string) => void
}

/** A webhook in the list. */
export function WebhookEntry({ webhook, focusAfter, onEdit, onDelete }: WebhookEntryProps) {
  const { name, avatar, created_at, creator_id, url, source } = webhook
  const creator = useAppState((state) => state.users[creator_id])
  const nameOf = useNames(webhook.space_id)
  const [deleting, setDeleting] = useState(false)
  const copying = useCopy()
  return (
    <li className="settings-row">
      <span className="settings-person">
        <Avatar id={avatarIdOfWebhook(name)} name={name} picture={avatar} />
        <span className="settings-names">
          <strong className="settings-name" dir="auto">
            {name}
          </strong>
          {source !== undefined && <span className="settings-note">{sourceText(source)}</span>}
          <span className="settings-note">
            {creator === undefined
              ? t('Created {ago}', { ago: formatAgo(created_at) })
              : t('By {name}, {ago}', { name: nameOf(creator), ago: formatAgo(created_at) })}
          </span>
        </span>
      </span>
      <span className="settings-actions">
        {url !== null && <CopyUrl name={name} url={url} copying={copying} />}
        <IconButton label={t('Edit {name}', { name })} icon={<Pencil />} onClick={onEdit} />
        <IconButton
          label={source === undefined ? t('Delete {name}', { name }) : t('Unfollow {name}', { name })}
          icon={<Trash2 />}
          onClick={() => setDeleting(true)}
        />
      </span>
      {copying.error !== null && (
        <p role="alert" className="form-error">
          {copying.error}
        </p>
      )}
      {deleting && (
        <DeleteWebhook
          webhook={webhook}
          focusAfter={focusAfter}
          onClose={() => setDeleting(false)}
          onDelete={onDelete}
        />
      )}
    </li>
  )
}

interface CopyUrlProps {
  name: string
  url: string
  copying: Copying
}

/** A menu that copies the URL in the format of the posting app. */
function CopyUrl({ name, url, copying: { copied, copy } }: CopyUrlProps) {
  return (
    <Menu.Root>
      <Menu.Trigger render={<IconButton label={t('Copy URL of {name}', { name })} icon={<Copy />} />} />
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={4} align="end">
          <Menu.Popup className="menu">
            <p className="menu-note">{t('Copy URL for')}</p>
            {webhookFormats.map(({ id, label, suffix }) => (
              <Menu.Item
                key={id}
                className="menu-item"
                onClick={() => copy(webhookUrl(url, suffix, window.location.origin))}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
      <span role="status" className="visually-hidden">
        {copied === null ? '' : t('URL copied.')}
      </span>
    </Menu.Root>
  )
}
