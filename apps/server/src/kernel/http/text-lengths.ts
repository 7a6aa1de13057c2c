import { _, type Ajv, type KeywordCxt, str } from 'ajv'
import { useFunc } from 'ajv/dist/compile/util.js'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'

/**
 * Replaces `maxLength` and `minLength` by versions that count code points only if needed: a text has at most one per
 * code unit, and at least half as many. Counting a text of 31 MiB blocked the event loop for 400 ms.
 */
export function countLengthsLazily(ajv: Ajv): void {
  addLength(ajv, {
    keyword: 'maxLength',
    word: 'more',
    isWrong: (units, points, limit) =>
      _`${units} > ${limit} && (${units} > ${2 * limit} || ${points} > ${limit})`,
  })
  addLength(ajv, {
    keyword: 'minLength',
    word: 'fewer',
    isWrong: (units, points, limit) =>
      _`${units} < ${2 * limit} && (${units} < ${limit} || ${points} < ${limit})`,
  })
}

type Code = ReturnType<typeof _>

interface LengthKeyword {
  keyword: 'maxLength' | 'minLength'
  /** Used in the error message. */
  word: string
  isWrong: (units: Code, points: Code, limit: number) => Code
}

function addLength(ajv: Ajv, { keyword, word, isWrong }: LengthKeyword): void {
  ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'number',
    // Runs before patterns, as Ajv does, so that no pattern runs on a text that is too long.
    before: 'pattern',
    error: {
      message: ({ schemaCode }) => str`must NOT have ${word} than ${schemaCode} characters`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
    code(context: KeywordCxt) {
      const { gen, data, schema } = context
      const points = _`${useFunc(gen, ucs2length.default)}(${data})`
      context.fail(isWrong(_`${data}.length`, points, Number(schema)))
    },
  })
}
