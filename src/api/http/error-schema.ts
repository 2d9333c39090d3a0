import Type from 'typebox'
import { errorCodes } from './errors.ts'
import { Answer, oneOf, text } from './schema-words.ts'

/** Those that are at fault, one by one. */
export const FieldProblems = Type.Array(
  Answer({
    path: text('Where it stands in the body or query: `address.line1`, `files[0].url`'),
    message: text('What is wrong with it'),
  }),
  { description: 'The fields that are at fault; absent where none is' },
)

/** The one shape of errors of the company-key and the catalogue API. */
export const ErrorAnswer = Answer(
  {
    error: Answer(
      {
        code: oneOf(Object.keys(errorCodes), { description: 'What kind of error it is' }),
        message: text('Says what to change'),
        docs: Type.String({ format: 'uri', description: 'Where the code is explained' }),
        fields: Type.Optional(FieldProblems),
      },
      { description: 'The error' },
    ),
  },
  {
    $id: 'ErrorResponse',
    description: 'What went wrong, and what to do about it.',
    examples: [
      {
        error: {
          code: 'invalid',
          message: 'firstName is required.',
          docs: 'http://127.0.0.1:8080/docs/errors#invalid',
          fields: [{ path: 'firstName', message: 'is required' }],
        },
      },
    ],
  },
)
