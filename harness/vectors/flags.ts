import type { VectorFlag } from './vector.js'

/** What each vector is about: the mistake it finds, what an attacker gains, and the requirement. */
export const vectorFlags = {
  Plain: {
    description: 'A delivery as the service sends it. A verifier that refuses it refuses everything.',
    requirement: 'VFY-004',
  },
  SeveralEntries: {
    description: 'Several entries, one of which matches. Checking only one position breaks rotation of secrets.',
    requirement: 'VFY-004',
  },
  UnknownVersion: {
    description:
      'Entries of another version. Comparing one as v1 lets an attacker choose a weaker scheme; failing on one breaks upgrades.',
    requirement: 'VFY-010',
  },
  BoundaryTimestamp: {
    description: 'The edge of the tolerance of 300 seconds, on either side.',
    requirement: 'VFY-006',
  },
  StaleTimestamp: {
    description: 'Too old. Accepting it lets an attacker replay a recorded delivery at any later time.',
    requirement: 'VFY-006',
  },
  FutureTimestamp: {
    description: 'Too far ahead. Accepting it lets an attacker keep a delivery for later use.',
    requirement: 'VFY-007',
  },
  BoundaryFutureTimestamp: { description: 'The edge of the tolerance in the future.', requirement: 'VFY-007' },
  MalformedTimestamp: {
    description: 'The timestamp is not an integer. Accepting it leaves the age of a delivery to the parser.',
    requirement: 'VFY-012',
  },
  TimestampSpelling: {
    description:
      'Another spelling of the signed number of seconds. Accepted, one delivery has several timestamps; an attacker gains nothing.',
    requirement: 'VFY-023',
  },
  TamperedBody: {
    description: 'The body was changed after signing. Accepting it lets an attacker write events.',
    requirement: 'VFY-001',
  },
  TamperedId: {
    description: 'The id was changed after signing. Accepting it lets a duplicate pass as new.',
    requirement: 'VFY-001',
  },
  TamperedTimestamp: {
    description: 'The timestamp was changed after signing. Accepting it makes an old delivery fresh.',
    requirement: 'VFY-001',
  },
  WrongSignedString: {
    description: 'The signature is over other text than id, timestamp and body joined by full stops.',
    requirement: 'VFY-001',
  },
  WrongSecret: {
    description: 'Signed with another key, or with the undecoded text of the secret. Accepting it lets anyone sign.',
    requirement: 'VFY-002',
  },
  SecretForm: {
    description: 'Another form or length of the secret; libraries differ, and the interface is silent.',
    requirement: 'VFY-013',
  },
  EmptyKey: {
    description: 'A secret without a key; the interface is silent. Accepting it lets anyone sign with the empty key.',
    requirement: 'VFY-015',
  },
  ModifiedMac: {
    description: 'The MAC differs in some bits. Accepting it shows that only a part is compared.',
    requirement: 'VFY-009',
  },
  TruncatedMac: {
    description: 'The MAC is cut short. Accepting it lets an attacker guess a few bytes instead of 32.',
    requirement: 'VFY-003',
  },
  EncodedMac: {
    description: 'The MAC in another encoding. Accepting it gives one delivery several valid signatures.',
    requirement: 'VFY-003',
  },
  MissingHeader: {
    description: 'One of the three headers is missing or empty. Accepting it lets an attacker skip the check.',
    requirement: 'VFY-008',
  },
  HeaderGrammar: {
    description: 'Unusual blanks and separators between entries; libraries differ, and the interface is silent.',
    requirement: 'VFY-013',
  },
  MalformedEntry: {
    description: 'Malformed entries, none of which matches. A crash lets anyone cause a server error.',
    requirement: 'VFY-009',
  },
  HeaderCase: { description: 'Header names in another case: they have none.', requirement: 'VFY-019' },
  RawBody: {
    description:
      'A JSON body that changes when it is parsed and serialized again. Refusing it shows that the raw bytes are not verified.',
    requirement: 'VFY-005',
  },
  Reserialized: { description: 'The same JSON in other bytes than those that were signed.', requirement: 'VFY-005' },
  BodyBytes: {
    description: 'A signed body with invalid JSON or UTF-8; a library that parses after verifying may refuse it.',
    requirement: 'VFY-013',
  },
  OddId: { description: 'An id with unusual characters or length, signed as sent.', requirement: 'VFY-013' },
  ReplayedId: {
    description: 'A repeated id: a verifier checks each delivery by itself.',
    requirement: 'VFY-014',
  },
  PublishedExample: { description: 'A worked example that was published for the scheme.', requirement: 'VFY-004' },
  UsualId: {
    description:
      'Ids with the characters and lengths that services use. Refusing one shows that the id is signed in another form.',
    requirement: 'VFY-001',
  },
  PartBoundary: {
    description:
      'A full stop in the id moves the boundary between id, timestamp and body without a change of the signed bytes. Senders avoid it; a verifier cannot notice it.',
    requirement: 'VFY-013',
  },
  NoMatchingEntry: {
    description: 'No entry matches. Accepting it shows that the number of entries or the last comparison decides.',
    requirement: 'VFY-009',
  },
  LooseMac: {
    description:
      'Other text that lenient base64 decodes to the same 32 bytes. A verifier that compares bytes may accept it: only the owner of the secret can make one.',
    requirement: 'VFY-013',
  },
  WrongAlgorithm: {
    description: 'Not HMAC-SHA256. Accepting it lets an attacker choose the algorithm.',
    requirement: 'VFY-003',
  },
  KeyLength: {
    description: 'A key of 24 to 64 bytes, as the scheme allows. Refusing it excludes some senders.',
    requirement: 'VFY-002',
  },
  BinaryKey: {
    description: 'A key of arbitrary bytes. Refusing it shows that the secret is not decoded to bytes.',
    requirement: 'VFY-002',
  },
  TextBody: {
    description: 'A body beyond ASCII. Refusing it shows that the bytes pass through another character set.',
    requirement: 'VFY-011',
  },
  Utf8Collision: {
    description:
      'Other bytes that decode to the signed text. Accepting them accepts a body that was not signed, although an attacker gains nothing from it.',
    requirement: 'VFY-024',
  },
  LargeBody: {
    description: 'A body larger than usual buffers. Refusing it shows that only a part is verified.',
    requirement: 'VFY-011',
  },
  HeaderBeside: {
    description: 'More headers, which a verifier ignores. Refusing them shows that names are not matched whole.',
    requirement: 'VFY-019',
  },
  HeaderFamily: {
    description: 'Headers under the names of another family. If it is accepted, the delivery was still signed.',
    requirement: 'VFY-025',
  },
} as const satisfies Readonly<Record<string, VectorFlag>>

export type VectorFlagName = keyof typeof vectorFlags
