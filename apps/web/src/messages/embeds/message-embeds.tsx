import { type Embed, EmbedType } from '@foyer/protocol/embeds'
import { EmbedCard } from './embed-card.tsx'
import { EmbedImage, EmbedVideo } from './embed-media.tsx'
import './message-embeds.css'

/** Link previews and bot cards of a message. */
export function MessageEmbeds({ embeds }: { embeds: readonly Embed[] }) {
  if (embeds.length === 0) return null
  return (
    <div className="embeds">
      {embeds.map((embed, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: embeds have no ids and are never reordered
        <EmbedNode key={index} embed={embed} />
      ))}
    </div>
  )
}

/** Links to an image or video show it directly, everything else as a card. */
function EmbedNode({ embed }: { embed: Embed }) {
  const { type, title, description, image, video } = embed
  const isBare = title === null && description === null
  if (type === EmbedType.Image && image !== null) return <EmbedImage media={image} href={embed.url} />
  if (type === EmbedType.Video && video !== null && isBare) return <EmbedVideo media={video} />
  return <EmbedCard embed={embed} />
}
