/**
 * Something from outside that we do not take. The message is a predicate ("is an archive; …") that says
 * what to change, so that a caller can put the address in front of it.
 */
export class Refused extends Error {
  override name = 'Refused'
}

/** An address that is not called, or a call that failed for a reason on the other side. */
export class OutboundRefused extends Refused {
  override name = 'OutboundRefused'
}

/** A call that failed for the moment: the same may pass later. */
export class OutboundUnavailable extends OutboundRefused {
  override name = 'OutboundUnavailable'
}

/** A file whose contents (or name) are not those of a document, picture, audio or video. */
export class ContentRefused extends Refused {
  override name = 'ContentRefused'
}
