const SYLLABLES =
  'ba be bo da de do fa fe fi ga go ha he hi ka ki la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va vi wa we za zo'.split(
    ' ',
  )
const ENDINGS = ['', '', 'n', 'r', 's', 't', 'ck', 'l', 'rn']

const ENGLISH = [
  'I think we should meet at the station around seven, then walk to the restaurant together and talk it over.',
  'Has anyone tried the new release yet? My build fails in the last step, but only on the older machines here.',
  'Thanks for the help yesterday, it turned out that the cable was broken and everything else was just fine!',
  'Good morning everyone, the tournament starts in about an hour, please return your forms before it begins.',
]
const RUSSIAN = [
  'Думаю, нам стоит встретиться у вокзала около семи, а потом вместе пойти в ресторан и всё обсудить там.',
]
const JAPANESE = [
  '明日の朝は駅で待ち合わせて、それから一緒にレストランへ行きましょう。新しいカメラを持っていくつもりです。楽しみにしています、よろしくお願いします。',
]
const MARKDOWN = [
  '**Note:** the _new_ release is ~~not~~ out, see [the page](https://example.org/a) and `npm ci` or ||wait|| a bit.',
]
const DISGUISED = [
  'Ι tһіnk wе ѕhоuld mееt аt thе ѕtаtіоn аrоund ѕеvеn, 𝓽𝓱𝓮𝓷 ｗａｌｋ ｔｏ ｔｈｅ ｒｅｓｔａｕｒａｎｔ t\u200bo\u200bg\u200be\u200bther.',
]

/** Texts like those of people, and texts made to be slow. They have about 100 characters, or 4,000 if named `long_`. */
export const texts: Readonly<Record<string, readonly string[]>> = {
  english: ENGLISH,
  capitals: ENGLISH.map((text) => text.toUpperCase()),
  russian: RUSSIAN,
  japanese: JAPANESE,
  markdown: MARKDOWN,
  disguised: DISGUISED,
  words_of_rules: [wordsOf(1, 400).map(misspelt).join(' ').slice(0, 100)],
  long_english: [ENGLISH.join(' ').repeat(10).slice(0, 4000)],
  long_japanese: [JAPANESE.join('').repeat(60).slice(0, 4000)],
  long_markdown: [MARKDOWN.join(' ').repeat(40).slice(0, 4000)],
  long_disguised: [DISGUISED.join(' ').repeat(40).slice(0, 4000)],
  long_bars: ['|'.repeat(4000), 'l|'.repeat(2000), '|'.repeat(16).concat('a').repeat(235)],
  long_words_of_rules: [wordsOf(1, 900).map(misspelt).join(' ').slice(0, 4000)],
  long_links: ['https://a.example/b '.repeat(200), 'a.bc '.repeat(800)],
}

/** Returns made-up words for a rule. No other rule has these words. Some have wildcards. */
export function wordsOf(rule: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const word = syllablesOf(rule * count + index)
    if (index % 20 === 0) return `${word}*`
    return index % 50 === 1 ? `*${word}*` : word
  })
}

/** Returns a pronounceable word for a number. The words of consecutive numbers have little in common. */
function syllablesOf(number: number): string {
  let rest = (number * 7_919 + 104_729) % 40_000_003
  let word = ''
  for (let syllable = 0; syllable < 4; syllable += 1) {
    word += SYLLABLES[rest % SYLLABLES.length]
    rest = Math.floor(rest / SYLLABLES.length)
  }
  return `${word}${ENDINGS[number % ENDINGS.length]}`
}

/** Misspells a word of a rule (u for t, c for b, h for n), so that it shares prefixes with words of rules but matches none. */
function misspelt(word: string): string {
  return word.replaceAll('*', '').replace('t', 'u').replace('b', 'c').replace('n', 'h')
}
