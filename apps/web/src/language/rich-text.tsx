import { Fragment, type ReactNode } from 'react'
import { fill, type Values } from './texts.ts'

interface RichTextProps {
  /** Text with tags as in `Read <link>the rules of {space}</link>.`, which are not nested. */
  text: string
  /** User content belongs here, not in the text: its markup is not parsed. */
  values?: Values
  tags: Readonly<Record<string, (inside: string) => ReactNode>>
}

/** A translated text whose tagged parts are React elements, in the order the language needs. */
export function RichText({ text, values = {}, tags }: RichTextProps) {
  return text.split(/(<\w+>[^<]*<\/\w+>)/).map((part, index) => {
    const [, name = '', inside = ''] = /^<(\w+)>([^<]*)<\/\1>$/.exec(part) ?? []
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
    return <Fragment key={index}>{tags[name]?.(fill(inside, values)) ?? fill(part, values)}</Fragment>
  })
}
