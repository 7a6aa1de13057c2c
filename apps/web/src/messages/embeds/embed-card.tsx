import { isLinkable } from '@foyer/markdown/links'
import type { Embed } from '@foyer/protocol/embeds'
import type { CSSProperties, ReactNode } from 'react'
import { t } from '#src/language/texts.ts'
import { Markdown } from '#src/markdown/markdown.tsx'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { EmbedIcon, EmbedImage, EmbedVideo, Thumbnail } from './embed-media.tsx'
import { cssColor } from './media.ts'

/** Preview of a page, or a card by a bot or webhook. */
export function EmbedCard({ embed }: { embed: Embed }) {
  const { url, title, description, site_name, author, image, video, thumbnail } = embed
  const isRich = embed.type === 'rich'
  const small = thumbnail ?? null
  return (
    <article className="embed" style={barStyle(embed)} aria-label={title ?? site_name ?? t('Preview')}>
      <div className="embed-body">
        <div className="embed-text" dir="auto">
          {site_name !== null && <p className="embed-site">{site_name}</p>}
          {author !== null && (
            <p className="embed-author">
              <EmbedIcon media={author.icon} />
              <ExternalLink href={author.url}>{author.name}</ExternalLink>
            </p>
          )}
          {title !== null && (
            <p className="embed-title">
              <ExternalLink href={url}>{title}</ExternalLink>
            </p>
          )}
          {description !== null && (
            <div className="embed-description">{isRich ? <Markdown text={description} /> : description}</div>
          )}
          <Fields fields={embed.fields} />
        </div>
        {small !== null && video === null && <Thumbnail media={small} />}
      </div>
      {video !== null && <EmbedVideo media={video} poster={image ?? small} />}
      {video === null && image !== null && <EmbedImage media={image} href={url} />}
      <Foot embed={embed} />
    </article>
  )
}

function Fields({ fields }: Pick<Embed, 'fields'>) {
  if (fields.length === 0) return null
  return (
    <dl className="embed-fields">
      {fields.map(({ name, value, inline }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields have no ids and are never reordered
        <div key={index} className="embed-field" data-inline={inline || undefined}>
          <dt>{name}</dt>
          <dd>
            <Markdown text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Foot({ embed: { footer, timestamp } }: { embed: Embed }) {
  if (footer === null && timestamp === null) return null
  const parts = [footer?.text, timestamp === null ? undefined : formatFull(timestamp)]
  return (
    <p className="embed-footer">
      <EmbedIcon media={footer?.icon} />
      {parts.filter((part) => part !== undefined).join(' · ')}
    </p>
  )
}

function ExternalLink({ href, children }: { href: string | null; children: ReactNode }) {
  const tabIndex = useRowPart()
  if (href === null || !isLinkable(href)) return children
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" tabIndex={tabIndex}>
      {children}
    </a>
  )
}

function barStyle({ color }: Embed): CSSProperties {
  return color === null ? {} : { '--embed-color': cssColor(color) }
}
