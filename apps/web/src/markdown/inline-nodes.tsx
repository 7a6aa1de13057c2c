import { hostOf, isMisleading } from '@foyer/markdown/links'
import { type Inline, type LinkNode, plainText } from '@foyer/markdown/nodes'
import { SpaceEmojiImage } from '#src/emojis/space-emoji.tsx'
import { Everyone, RoleMention, RoomMention, UserMention } from '#src/mentions/mention-chips.tsx'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { Spoiler } from './spoiler.tsx'

export function InlineNodes({ nodes }: { nodes: readonly Inline[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
  return nodes.map((node, index) => <InlineNode key={index} node={node} />)
}

function InlineNode({ node }: { node: Inline }) {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'break':
      return <br />
    case 'code':
      return <code className="md-code">{node.text}</code>
    case 'link':
      return <Link link={node} />
    case 'user':
      return <UserMention id={node.id} />
    case 'role':
      return <RoleMention id={node.id} />
    case 'room':
      return <RoomMention id={node.id} />
    case 'everyone':
      return <Everyone text={node.text} />
    case 'emoji':
      return <SpaceEmojiImage id={node.id} name={node.name} />
    default:
      return <Styled kind={node.kind} nodes={node.children} />
  }
}

const elements = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' } as const

function Styled({ kind, nodes }: { kind: keyof typeof elements | 'spoiler'; nodes: readonly Inline[] }) {
  const content = <InlineNodes nodes={nodes} />
  if (kind === 'spoiler') return <Spoiler>{content}</Spoiler>
  const Element = elements[kind]
  return <Element>{content}</Element>
}

function Link({ link: { href, isMasked, children } }: { link: LinkNode }) {
  const tabIndex = useRowPart()
  // Shows the real host if the text of the link looks like another address.
  const shownHost = isMasked && isMisleading(plainText(children), href) ? ` (${hostOf(href)})` : ''
  return (
    <a
      href={href}
      title={isMasked ? hostOf(href) : undefined}
      target="_blank"
      rel="noopener noreferrer nofollow"
      tabIndex={tabIndex}
    >
      <InlineNodes nodes={children} />
      {shownHost}
    </a>
  )
}
