import type { Attachment } from '@foyer/protocol/attachments'
import type { Embed } from '@foyer/protocol/embeds'
import type { Report, ReportedMessage } from '@foyer/protocol/reports'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { counted, t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { personName } from '#src/store/users.ts'
import { formatFull } from '#src/ui/time/time.ts'

/** Shows the copy of the message, the person or the space from the time of the report. */
export function ReportCopy({ report: { copy, target_id, place } }: { report: Report }) {
  const { user, space, messages } = copy
  const room = useAppState((state) => (place?.room_id ? state.rooms[place.room_id] : undefined))
  return (
    <div className="report-copy">
      {messages.length > 0 && place !== null && (
        <p className="settings-note">{placeText(place, room && roomLabel(room))}</p>
      )}
      {messages.map((message) => (
        <CopiedMessage key={message.id} message={message} isReported={message.id === target_id} />
      ))}
      {user !== null && (
        <p className="report-person">
          <Avatar id={user.id} name={personName(user)} picture={user.avatar} size="sm" />
          <bdi>{personName(user)}</bdi>
          <span className="settings-note">@{user.username}</span>
        </p>
      )}
      {space !== null && (
        <>
          <p className="report-person">
            <Avatar id={space.id} name={space.name} size="sm" />
            <bdi>{space.name}</bdi>
            <span className="settings-note">{t('owned by {name}', { name: personName(space.owner) })}</span>
          </p>
          {space.description !== null && <p dir="auto">{space.description}</p>}
        </>
      )}
    </div>
  )
}

function placeText({ room_id }: { room_id?: string | null }, room: string | undefined): string {
  if (!room_id) return t('In a direct message or group')
  return room === undefined ? t('In a room that you can’t open') : t('In {room}', { room })
}

interface CopiedMessageProps {
  message: ReportedMessage
  /** False for a context message. */
  isReported: boolean
}

function CopiedMessage({ message, isReported }: CopiedMessageProps) {
  const { author, content, created_at, edited_at, embeds, stickers, attachments, file_count } = message
  const missing = file_count - attachments.length
  return (
    <div className="report-message" data-reported={isReported || undefined}>
      <p className="settings-note">
        <strong>
          <bdi>{personName(author)}</bdi>
        </strong>
        <time dateTime={created_at}>{formatFull(created_at)}</time>
        {edited_at !== null && <span>{t('edited')}</span>}
      </p>
      {content !== '' && (
        <p className="report-words" dir="auto">
          {content}
        </p>
      )}
      {embeds.map((embed, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the copy never changes
        <CopiedEmbed key={index} embed={embed} />
      ))}
      {stickers.length > 0 && (
        <p className="settings-note">
          {t('Sticker: {name}', { name: stickers.map(({ name }) => name).join(', ') })}
        </p>
      )}
      {attachments.length > 0 && (
        <ul className="report-files">
          {attachments.map((file) => (
            <li key={file.id}>
              <CopiedFile file={file} />
            </li>
          ))}
        </ul>
      )}
      {missing > 0 && (
        <p className="settings-note">
          {counted(missing, '{count} file isn’t in the copy', '{count} files aren’t in the copy')}
        </p>
      )}
    </div>
  )
}

function CopiedEmbed({ embed: { title, description, url } }: { embed: Embed }) {
  return (
    <div className="settings-quote">
      {title && <strong dir="auto">{title}</strong>}
      {description && <p dir="auto">{description}</p>}
      {url && <p>{url}</p>}
    </div>
  )
}

/** Collapsed at first, because the file may be disturbing. */
function CopiedFile({ file: { url, filename, size_bytes } }: { file: Attachment }) {
  const { client } = useSession()
  return (
    <>
      {url === undefined ? (
        <bdi>{filename}</bdi>
      ) : (
        <a href={client.addressOf(url)} target="_blank" rel="noreferrer">
          <bdi>{filename}</bdi>
        </a>
      )}{' '}
      <span className="settings-note">{formatSize(size_bytes)}</span>
    </>
  )
}
