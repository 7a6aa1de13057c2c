/** Headers for uploaded and proxied files, which then cannot run or load anything on our origin. Other sites may embed them. */
export const strangerHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}
