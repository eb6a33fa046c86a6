// Moments are nouns of study too.
@_exported public import CivilTime
