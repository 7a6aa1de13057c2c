type Open = () => AsyncIterable<Buffer>

/**
 * Runs a write whose bytes come from a source.
 * @throws the error of the source if it fails, instead of the resulting error of the write
 */
export async function writeFrom(open: Open, write: (open: Open) => Promise<void>): Promise<void> {
  let failure: unknown
  const watched = async function* () {
    try {
      yield* open()
    } catch (error) {
      failure = error
      throw error
    }
  }
  await write(watched).catch((error: unknown) => {
    throw failure ?? error
  })
}
