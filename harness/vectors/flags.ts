import type { VectorFlag } from './vector.js'

/** What each vector is about: the mistake it finds, what an attacker gains, and the requirement. */
export const vectorFlags = {
  Plain: {
    description: 'A delivery as the service sends it. A verifier that refuses it refuses everything.',
    requirement: 'VFY-004',
  },
  SeveralEntries: {
    description:
      'Several entries, one of which matches. A verifier that looks at one position only breaks rotation of secrets.',
    requirement: 'VFY-004',
  },
  UnknownVersion: {
    description:
      'Entries of another version. One that is compared as v1 lets an attacker choose the weaker scheme; one that spoils its neighbours breaks upgrades.',
    requirement: 'VFY-010',
  },
  BoundaryTimestamp: {
    description: 'The edge of the tolerance of 300 seconds, on either side.',
    requirement: 'VFY-006',
  },
  StaleTimestamp: {
    description: 'Too old. Accepted, it lets an attacker replay a recorded delivery at any later time.',
    requirement: 'VFY-006',
  },
  FutureTimestamp: {
    description: 'Too far ahead. Accepted, it lets an attacker keep a delivery for later use.',
    requirement: 'VFY-007',
  },
  BoundaryFutureTimestamp: { description: 'The edge of the tolerance in the future.', requirement: 'VFY-007' },
  MalformedTimestamp: {
    description:
      'No integer number of Unix seconds. Accepted, the age of a delivery is whatever the parser makes of it.',
    requirement: 'VFY-012',
  },
  TimestampSpelling: {
    description: 'Another spelling of the signed number of seconds; libraries differ, and the interface is silent.',
    requirement: 'VFY-013',
  },
  TamperedBody: {
    description: 'The body was changed after signing. Accepted, an attacker writes events of his own.',
    requirement: 'VFY-001',
  },
  TamperedId: {
    description: 'The id was changed after signing. Accepted, an attacker gets a duplicate past de-duplication.',
    requirement: 'VFY-001',
  },
  TamperedTimestamp: {
    description: 'The timestamp was changed after signing. Accepted, an old delivery is made fresh.',
    requirement: 'VFY-001',
  },
  WrongSignedString: {
    description: 'The signature is over other text than id, timestamp and body joined by full stops.',
    requirement: 'VFY-001',
  },
  WrongSecret: {
    description: 'Signed with another key, or with the undecoded text of the secret. Accepted, anybody can sign.',
    requirement: 'VFY-002',
  },
  SecretForm: {
    description: 'Another form or length of the secret; libraries differ, and the interface is silent.',
    requirement: 'VFY-013',
  },
  EmptyKey: {
    description:
      'A secret that holds no key, of which the interface says nothing. Accepted, anybody can sign with the empty key.',
    requirement: 'VFY-015',
  },
  ModifiedMac: {
    description: 'The MAC differs in some bits. Accepted, the comparison does not look at all of it.',
    requirement: 'VFY-009',
  },
  TruncatedMac: {
    description: 'The MAC is cut short. Accepted, an attacker guesses a few bytes in place of 32.',
    requirement: 'VFY-003',
  },
  EncodedMac: {
    description: 'The MAC in another encoding. Accepted, one delivery has several valid signatures.',
    requirement: 'VFY-003',
  },
  MissingHeader: {
    description: 'One of the three headers is missing or empty. Accepted, the check is skipped by leaving it out.',
    requirement: 'VFY-008',
  },
  HeaderGrammar: {
    description: 'Odd blanks and separators between entries; libraries differ, and the interface is silent.',
    requirement: 'VFY-013',
  },
  MalformedEntry: {
    description:
      'Entries that are no entries beside none that matches. A crash lets anybody make the receiver answer with a server error.',
    requirement: 'VFY-009',
  },
  HeaderCase: { description: 'Header names in another case: they have none.', requirement: 'VFY-019' },
  RawBody: {
    description:
      'A JSON body that parsing and writing again does not reproduce. Refused, the verifier does not verify the raw bytes.',
    requirement: 'VFY-005',
  },
  Reserialized: { description: 'The same JSON in other bytes than those that were signed.', requirement: 'VFY-005' },
  BodyBytes: {
    description:
      'A body that is no JSON or no UTF-8, signed as sent; a library that parses after verifying may refuse it.',
    requirement: 'VFY-013',
  },
  OddId: { description: 'An id of other characters or length than usual, signed as sent.', requirement: 'VFY-013' },
  ReplayedId: {
    description: 'An id that was verified before: a verifier judges each delivery by itself.',
    requirement: 'VFY-014',
  },
  PublishedExample: { description: 'A worked example that was published for the scheme.', requirement: 'VFY-004' },
  UsualId: {
    description: 'Ids of the characters and lengths that services make. Refused, the id is not signed as it stands.',
    requirement: 'VFY-001',
  },
  PartBoundary: {
    description:
      'A full stop in the id moves the boundary between id, timestamp and body without a change of the signed bytes. Senders avoid it; a verifier cannot tell.',
    requirement: 'VFY-013',
  },
  NoMatchingEntry: {
    description:
      'None of the entries matches. Accepted, the number of entries or the last comparison decides in place of a match.',
    requirement: 'VFY-009',
  },
  LooseMac: {
    description:
      'Other text that a lenient base64 decoder takes for the same 32 bytes. A verifier that compares bytes may take it; nobody can make one without the secret.',
    requirement: 'VFY-013',
  },
  WrongAlgorithm: {
    description: 'Not HMAC-SHA256. Accepted, an attacker chooses the algorithm.',
    requirement: 'VFY-003',
  },
  KeyLength: {
    description: 'A key of 24 to 64 bytes, the lengths the scheme names. Refused, some senders cannot be verified.',
    requirement: 'VFY-002',
  },
  BinaryKey: {
    description: 'A key that is no text. Refused, the secret is not decoded to bytes.',
    requirement: 'VFY-002',
  },
  TextBody: {
    description: 'A body beyond ASCII. Refused, its bytes pass through another character set.',
    requirement: 'VFY-011',
  },
  Utf8Collision: {
    description:
      'Bytes that become the same text as those that were signed, once they are decoded. Accepted, an attacker exchanges bytes under a valid signature.',
    requirement: 'VFY-011',
  },
  LargeBody: {
    description: 'A body beyond the usual sizes of one buffer. Refused, only a part of it is verified.',
    requirement: 'VFY-011',
  },
  HeaderBeside: {
    description:
      'Further headers, which are none of the verifier\u2019s business. Refused, names are not matched whole.',
    requirement: 'VFY-019',
  },
  HeaderFamily: {
    description: 'Headers of another family of names; libraries differ, and the interface is silent.',
    requirement: 'VFY-013',
  },
} as const satisfies Readonly<Record<string, VectorFlag>>

export type VectorFlagName = keyof typeof vectorFlags
