import PulseBoardVocabulary

/// A message that has the texts of a profile, or something for each of them. The requirements are met by the generated properties.
public protocol ProfileTextMessage<Text> {
    associatedtype Text

    var displayName: Text { get set }
    var statusMessage: Text { get set }
}

extension PBProfile: ProfileTextMessage {}
extension PBCreateProfileRequest: ProfileTextMessage {}
extension PBGetLimitsResponse: ProfileTextMessage {}

extension ProfileTextMessage {
    /// What the message has for one field.
    public subscript(field: ProfileTextField) -> Text {
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
