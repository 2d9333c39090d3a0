import Type from 'typebox'
import { errorCodes } from './errors.ts'
import { Answer, oneOf, text } from './schema-words.ts'

/** The one shape of errors of the company-key and the catalogue API. */
export const ErrorAnswer = Answer(
  {
    error: Answer({
      code: oneOf(Object.keys(errorCodes)),
      message: text('Says what to change'),
      docs: Type.String({ format: 'uri', description: 'Where the code is explained' }),
    }),
  },
  {
    $id: 'Error',
    examples: [
      {
        error: {
          code: 'invalid',
          message: 'firstName is required.',
          docs: 'http://127.0.0.1:8080/docs/errors#invalid',
        },
      },
    ],
  },
)
