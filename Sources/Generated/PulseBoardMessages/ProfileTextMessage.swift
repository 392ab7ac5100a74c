import PulseBoardVocabulary

/// A message that has the texts of a profile. The requirements are met by the generated properties.
public protocol ProfileTextMessage {
    var displayName: String { get set }
    var statusMessage: String { get set }
}

extension PBProfile: ProfileTextMessage {}
extension PBCreateProfileRequest: ProfileTextMessage {}

extension ProfileTextMessage {
    /// The text of one field.
    public subscript(field: ProfileTextField) -> String {
        get {
            switch field {
            case .displayName: displayName
            case .statusMessage: statusMessage
            }
        }
        set {
            switch field {
            case .displayName: displayName = newValue
            case .statusMessage: statusMessage = newValue
            }
        }
    }
}

extension PBGetLimitsResponse {
    /// The limits of one text.
    public subscript(field: ProfileTextField) -> PBTextLimits? {
        get {
            switch field {
            case .displayName: displayName
            case .statusMessage: statusMessage
            }
        }
        set {
            switch field {
            case .displayName: displayName = newValue
            case .statusMessage: statusMessage = newValue
            }
        }
    }
}
