import { Fragment, type ReactNode } from 'react'
import { fill, type Values } from './texts.ts'

interface RichTextProps {
  /** With tags as in `Read <link>the rules of {space}</link>.`, which are not nested. */
  text: string
  /** What people wrote comes by these, and not in the text: its signs are no tags. */
  values?: Values
  tags: Readonly<Record<string, (inside: string) => ReactNode>>
}

/** A text of which parts are more than text, wherever a language puts them. */
export function RichText({ text, values = {}, tags }: RichTextProps) {
  return text.split(/(<\w+>[^<]*<\/\w+>)/).map((part, index) => {
    const [, name = '', inside = ''] = /^<(\w+)>([^<]*)<\/\1>$/.exec(part) ?? []
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
    return <Fragment key={index}>{tags[name]?.(fill(inside, values)) ?? fill(part, values)}</Fragment>
  })
}
