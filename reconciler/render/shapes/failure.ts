import {
  constant,
  fromOne,
  fromZero,
  listOf,
  named,
  objectOf,
  optional,
  described,
  text,
  wordOf,
} from '../../disk/check.ts'
import type { Excerpt, ManifestFinding } from '../../errors/finding.ts'
import type { Failure, ReportedError } from '../document/failure.ts'
import { texts, version } from './common.ts'

const place = {
  file: described('The file, as it was named.', text),
  line: described('The line, from 1.', fromOne),
  column: described('The column, from 1.', fromOne),
}

const finding = named(
  'finding',
  objectOf<ManifestFinding>({
    ...place,
    severity: described(
      'A warning by itself does not stop the command.',
      wordOf<ManifestFinding['severity']>({ error: null, warning: null }),
    ),
    path: described('Where in the manifest; empty for the whole file.', text),
    message: described('What is wrong.', text),
    reasonCode: optional(described('The reason code that a plan gives if it finds the same problem.', text)),
    suggestion: optional(described('The nearest valid spelling.', text)),
    allowed: optional(described('What is allowed there.', texts)),
    also: optional(
      described('The other place, if two disagree.', objectOf<NonNullable<ManifestFinding['also']>>(place)),
    ),
    excerpt: optional(
      described(
        'The line, made safe to show.',
        objectOf<Excerpt>({
          text: described('The part that is shown.', text),
          indent: described('How many columns come before the marked part.', fromZero),
          width: described('How many columns are marked.', fromZero),
        }),
      ),
    ),
  }),
)

const errorFields = {
  code: described('The stable code of the error.', text),
  message: described('What failed.', text),
  where: optional(described('Where it failed.', text)),
  hint: optional(described('What to do about it.', text)),
}

/** The error of a change, or of an apply as a whole. */
export const error = named('error', objectOf<ReportedError>(errorFields))

/** The document in place of a plan or a drift report if the command fails. */
export const failureShape = named(
  'failure',
  objectOf<Failure>({
    formatVersion: described(version, constant(1)),
    error: described(
      'What failed.',
      objectOf<Failure['error']>({
        ...errorFields,
        findings: optional(described('Everything that is wrong in the manifests.', listOf(finding))),
      }),
    ),
  }),
)
