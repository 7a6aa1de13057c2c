import { type CSSProperties, memo } from 'react'
import { CodeBlock } from './code-block.tsx'
import { InlineNodes } from './inline-nodes.tsx'
import { useBlocks } from './load.ts'
import './markdown.css'
import type { Block, ListNode } from '@foyer/markdown/nodes'

/** Renders the text of a message. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <Blocks blocks={useBlocks(text)} />
})

function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
    <BlockNode key={index} block={block} />
  ))
}

function BlockNode({ block }: { block: Block }) {
  return (
    <>
      {block.gap > 0 && <div className="md-gap" style={gapStyle(block.gap)} />}
      <BlockContent block={block} />
    </>
  )
}

/** Maximum number of empty lines shown in a row. */
const MAX_GAP = 4

function gapStyle(gap: number): CSSProperties {
  return { '--lines': Math.min(gap, MAX_GAP) }
}

function BlockContent({ block }: { block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <InlineNodes nodes={block.children} />
        </p>
      )
    case 'heading':
      return (
        // Not an HTML heading, because it is not part of the page outline.
        <p className="md-heading" data-level={block.level}>
          <strong>
            <InlineNodes nodes={block.children} />
          </strong>
        </p>
      )
    case 'quote':
      return (
        <blockquote className="md-quote">
          <Blocks blocks={block.blocks} />
        </blockquote>
      )
    case 'list':
      return <List list={block} />
    case 'fence':
      return <CodeBlock language={block.language} text={block.text} />
  }
}

function List({ list: { start, items } }: { list: ListNode }) {
  const entries = items.map((blocks, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
    <li key={index}>
      <Blocks blocks={blocks} />
    </li>
  ))
  if (start === null) return <ul className="md-list">{entries}</ul>
  return (
    <ol className="md-list" start={start}>
      {entries}
    </ol>
  )
}
