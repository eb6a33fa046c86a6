// What a client of Engram needs of the lower rooms comes with it: identities, the nouns of study, schedulers, figures.
@_exported public import CivilTime
@_exported public import EventCoding
@_exported public import Exchange
@_exported public import Hashing
@_exported public import JSONText
@_exported public import Scheduling
@_exported public import StudyModel
@_exported public import StudyProjections
