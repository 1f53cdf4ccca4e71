import {
  constant,
  fromOne,
  fromZero,
  listOf,
  named,
  objectOf,
  optional,
  said,
  text,
  wordOf,
} from '../../disk/check.ts'
import type { Excerpt, ManifestFinding } from '../../errors/finding.ts'
import type { Failure, SaidError } from '../document/failure.ts'
import { texts, version } from './common.ts'

const place = {
  file: said('The file, as it was named.', text),
  line: said('The line, from 1.', fromOne),
  column: said('The column, from 1.', fromOne),
}

const finding = named(
  'finding',
  objectOf<ManifestFinding>({
    ...place,
    severity: said(
      'A warning by itself does not stop the command.',
      wordOf<ManifestFinding['severity']>({ error: null, warning: null }),
    ),
    path: said('Where in the manifest; empty for the whole file.', text),
    message: said('What is wrong.', text),
    reasonCode: optional(said('The reason code that a plan gives if it finds the same problem.', text)),
    suggestion: optional(said('The nearest valid spelling.', text)),
    allowed: optional(said('What is allowed there.', texts)),
    also: optional(
      said('The other place, if two disagree.', objectOf<NonNullable<ManifestFinding['also']>>(place)),
    ),
    excerpt: optional(
      said(
        'The line, made safe to show.',
        objectOf<Excerpt>({
          text: said('The part that is shown.', text),
          indent: said('How many columns come before the marked part.', fromZero),
          width: said('How many columns are marked.', fromZero),
        }),
      ),
    ),
  }),
)

const errorFields = {
  code: said('The stable code of the error.', text),
  message: said('What failed.', text),
  where: optional(said('Where it failed.', text)),
  hint: optional(said('What to do about it.', text)),
}

/** The error of a change, or of an apply as a whole. */
export const error = named('error', objectOf<SaidError>(errorFields))

/** The document in place of a plan or a drift report if the command fails. */
export const failureShape = named(
  'failure',
  objectOf<Failure>({
    formatVersion: said(version, constant(1)),
    error: said(
      'What failed.',
      objectOf<Failure['error']>({
        ...errorFields,
        findings: optional(said('Everything that is wrong in the manifests.', listOf(finding))),
      }),
    ),
  }),
)
