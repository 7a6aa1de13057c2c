import type { Sentence } from './entries/sentences.ts'

/** A sentence with its names in bold. `bdi` isolates names in the other text direction. */
export function SentenceText({ text, values }: Sentence) {
  return text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
      <strong key={index}>
        <bdi>{values[part]}</bdi>
      </strong>
    )
  })
}
