/** Outputs, in base64, that the fuzzer found to be shown wrongly once, with what was wrong. */
export const FOUND: readonly { what: string; input: string }[] = [
  {
    what: 'an empty line was lost after a continued line at the top of the screen',
    input:
      'G1syNDlDzIEgeCDmvKLlrZcgIGXMgSB3b3JkIHRhYgkg5ryi5a2XICB0YWIJIGXMgSB0YWIJIGXMgSBsaW5lDQogbGluZQ0KIOa8ouWtlyAgeCDmvKLlrZcgIHggd29yZCBlzIEg5ryi5a2XICB4IOa8ouWtlyAgd29yZCBlNTA7MjU1SMyBG1tTdGFiCSB4IGXMgSBlzIEgbGluZQ0KIHdvcmQg5ryi5a2XICB0YWIJIHggbGluZQ0KIHgg5ryi5a2XICB4IHjaW1AZ0PsMV6cMndaiwps0OTsxMDQ4Y8KdBxtbMjU7MTA0OCFgKN79+TjyvjlGGF/hJVZ3XMhOr2ZpaxtQJHFtG1zCmzI1NjsxMDQ3OzEwNDl4G10wO3RpdGxlG1wNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQoNCg0KDQo=',
  },
]
