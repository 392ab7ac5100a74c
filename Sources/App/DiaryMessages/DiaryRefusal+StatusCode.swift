import PulseBoardDomain
import RPCCore

extension StatusCode {
    /// The code of a refusal, on the server and for a client that refuses by itself (`docs/api.md`).
    package init(_ refusal: DiaryRefusal) {
        switch refusal {
        case .entryNotFound, .imageNotFound: self = .notFound
        case .entryExists: self = .alreadyExists
        case .full, .tooManyDevices: self = .resourceExhausted
        case .deviceUnknown, .mutationGap, .deviceCloned, .clockSkewed, .imageNotStaged: self = .failedPrecondition
        case .imageDiffers: self = .invalidArgument
        case .resyncRequired: self = .outOfRange
        case .locked: self = .unavailable
        }
    }
}
