import { type Embed, EmbedType } from '@foyer/protocol/embeds'
import { EmbedCard } from './embed-card.tsx'
import { EmbedImage, EmbedVideo } from './embed-media.tsx'
import './message-embeds.css'

/** What the links of a message lead to, and what bots and webhooks show. */
export function MessageEmbeds({ embeds }: { embeds: readonly Embed[] }) {
  if (embeds.length === 0) return null
  return (
    <div className="embeds">
      {embeds.map((embed, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no ids, and keep their order
        <EmbedNode key={index} embed={embed} />
      ))}
    </div>
  )
}

/** A picture or a video at the end of a link is shown as it is; all else in a card. */
function EmbedNode({ embed }: { embed: Embed }) {
  const { type, title, description, image, video } = embed
  const isBare = title === null && description === null
  if (type === EmbedType.Image && image !== null) return <EmbedImage media={image} href={embed.url} />
  if (type === EmbedType.Video && video !== null && isBare) return <EmbedVideo media={video} />
  return <EmbedCard embed={embed} />
}
