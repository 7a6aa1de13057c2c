/** Whatever a stranger's file holds, it runs nothing here and loads nothing; pages of others may show our pictures. */
export const strangerHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}
