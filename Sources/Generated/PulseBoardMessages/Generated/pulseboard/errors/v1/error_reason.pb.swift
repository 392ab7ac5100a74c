// Written by protoc-gen-pulseboard-swift from pulseboard/errors/v1/error_reason.proto.
// Do not edit: change that file and generate again.

internal import PulseBoardC
import ProtobufC
import ProtobufWellKnownTypes

/// The reasons of refusals. `google.rpc.ErrorInfo.reason` is the name of a value, and its domain is "pulseboard".
///
/// `google.rpc.ErrorInfo.metadata` says more where there is more to say: `field` (the path of the violated field), `limit` (the bound that was
/// crossed, in the unit of the reason) and `available_time` (RFC 3339, UTC: when it may be tried again). Reasons and keys will be added: treat a reason
/// that you do not know by the call's code.
public enum PBErrorReason: ProtobufEnum {
    /// Never sent.
    case unspecified
    /// The call has no session, or the session has ended.
    case notAuthenticated
    /// The peer may not sign in to the account that it names.
    case accountNotPermitted
    /// The connection proves no identity.
    case identityNotProven
    /// The user is not there for the caller.
    case userNotFound
    /// The caller has no profile, and the call needs one. A state: start onboarding.
    case profileRequired
    /// The caller has no such session.
    case sessionNotFound
    /// The username belongs to somebody else.
    case usernameDuplicated
    /// The caller has a profile already.
    case profileExists
    /// The resource has changed since the caller read it.
    case etagMismatch
    /// Nobody follows oneself.
    case selfFollow
    /// The data belongs to somebody else.
    case notOwner
    /// Only administrators may call the method.
    case notTrusted
    /// The request id was used for a different request.
    case requestIDReused
    /// The page token is forged, damaged, or another list's.
    case pageTokenInvalid
    /// The resume token is forged, damaged, or another account's.
    case resumeTokenInvalid
    /// Metadata `pulseboard-consistency` is neither `latest` nor a token.
    case consistencyInvalid
    /// Stored data cannot be read.
    case dataLoss
    /// The server's disk is full.
    case storeFull
    /// The server's database is damaged.
    case storeCorrupt
    /// The server's disk fails.
    case storeIoError
    /// The server may not write its database.
    case storeReadOnly
    /// The server's database file was deleted or replaced.
    case storeGone
    /// The server's database is on a machine that does not answer.
    case storeUnreachable
    /// The server's database lacks changes that were confirmed.
    case storeOutdated
    /// The server cannot do it now. Try again.
    case unavailable
    /// The caller has asked to leave, and has no profile unless they come back. A state: offer to.
    case withdrawing
    /// The caller has not asked to leave.
    case notWithdrawing
    /// The ID token is too long, damaged, or lacks a claim.
    case idTokenMalformed
    /// Nobody signs in here with this identity provider.
    case idTokenIssuerUnknown
    /// The issuer does not sign like this.
    case idTokenAlgorithm
    /// The key is not known, or not yet. Try again.
    case idTokenKeyUnknown
    /// The signature is not the key's.
    case idTokenSignature
    /// The token was made for another app.
    case idTokenAudience
    /// The token is too old.
    case idTokenExpired
    /// The token is from the future.
    case idTokenNotYetValid
    /// The token is not the answer to this sign-in.
    case idTokenNonce
    /// The token was used before.
    case idTokenReplayed
    /// The session was opened too long ago for this. Sign in once more.
    case signInTooOld
    /// The identity signs in another user.
    case identityInUse
    /// The caller has no such identity.
    case identityNotFound
    /// The caller's only identity cannot go.
    case identityLast
    /// The caller has as many identities as one may have.
    case identityLimit
    /// The caller, or the issuer, comes too often. Try again.
    case rateLimited
    /// The username looks like somebody else's.
    case usernameConfusable
    /// The username was changed a short time ago.
    case usernameChangedRecently
    /// The user has as many watches, exports and downloads of a diary's pictures as one may have.
    case watchLimit
    /// The picture has too many bytes.
    case imageTooLarge
    /// The picture has too many pixels.
    case imageDimensions
    /// The picture is neither JPEG nor PNG nor WebP.
    case imageFormatUnsupported
    /// The picture is damaged.
    case imageInvalid
    /// The picture did not arrive as it was announced.
    case imageHashMismatch
    /// The uploaded picture is not there any more.
    case imageNotStaged
    /// The user has no such picture.
    case imageNotFound
    /// Too many pictures are being uploaded. Try again.
    case imageBusy
    /// There is no such size.
    case imageSizeUnknown
    /// The picture has no bytes.
    case imageEmpty
    /// The bytes of the picture came too slowly.
    case imageTooSlow
    /// There is no such entry.
    case diaryEntryNotFound
    /// There is or was another entry of this id.
    case diaryEntryExists
    /// The diary has too many entries or bytes.
    case diaryFull
    /// The entry keeps too many edits that lost.
    case diaryTooManyConflicts
    /// The diary has too many devices.
    case diaryTooManyDevices
    /// The diary does not know the device.
    case diaryDeviceUnknown
    /// Two copies of one device write under its name.
    case diaryDeviceCloned
    /// Mutations before the first are missing.
    case diaryMutationGap
    /// A stamp is too far ahead.
    case diaryClockSkewed
    /// The cursor cannot be continued from.
    case diaryResyncRequired
    /// What is written in diaries is sealed, and the server has not got the key. Nothing is lost.
    case diaryLocked
    /// The diary has the picture with another type or size than the entry names.
    case diaryImageDiffers
    /// The username is empty.
    case usernameEmpty
    /// The username has too few graphemes.
    case usernameTooShort
    /// The username has too many graphemes.
    case usernameTooLong
    /// The username has characters that none may have.
    case usernameInvalidCharacters
    /// Nobody may have this username.
    case usernameReserved
    /// The display name is too long.
    case displayNameTooLong
    /// The display name has characters that none may have.
    case displayNameInvalidCharacters
    /// The status message is too long.
    case statusMessageTooLong
    /// The status message has characters that none may have.
    case statusMessageInvalidCharacters
    /// A text is too long.
    case textTooLong
    /// A text has characters that it may not have.
    case textInvalidCharacters
    /// The account name is malformed.
    case accountNameInvalid
    /// A field of the device is malformed or too long.
    case deviceInvalid
    /// The request id is malformed.
    case requestIDInvalid
    /// The identifier is malformed.
    case identifierInvalid
    /// A required field is missing.
    case fieldMissing
    /// There is no such field.
    case fieldUnknown
    /// The field cannot be changed.
    case fieldReadOnly
    /// There are too many items.
    case tooManyItems
    /// The page size is negative.
    case pageSizeNegative
    /// The text to search is empty or too long.
    case queryInvalid
    /// The grace period is out of its range.
    case gracePeriodInvalid
    /// The pace of a backup is out of its range.
    case backupRateInvalid
    /// There is no such log level.
    case logLevelInvalid
    /// The item is named twice.
    case itemDuplicated
    /// The display name has too many bytes.
    case displayNameTooManyBytes
    /// The display name has nothing to see.
    case displayNameInvisible
    /// Nobody may have this display name.
    case displayNameReserved
    /// The status message has too many bytes.
    case statusMessageTooManyBytes
    /// A text has too many bytes.
    case textTooManyBytes
    /// The text of an entry is too long.
    case diaryTextTooLong
    /// The text of an entry has characters that it may not have.
    case diaryTextInvalidCharacters
    /// The emotion is malformed.
    case emotionInvalid
    /// The time is out of its range.
    case entryTimeInvalid
    /// The name of a device is malformed.
    case deviceNameInvalid
    /// The number of a mutation is not positive, or not the one after the mutation before.
    case diaryNumberInvalid
    /// A number that this schema does not name, sent by a newer peer.
    case unrecognized(Int32)

    /// The value of number 0.
    public init() { self = .unspecified }

    /// The value of that number, or ``unrecognized(_:)``.
    public init(rawValue: Int32) {
        self = switch rawValue {
        case 0: .unspecified
        case 1: .notAuthenticated
        case 2: .accountNotPermitted
        case 3: .identityNotProven
        case 4: .userNotFound
        case 5: .profileRequired
        case 6: .sessionNotFound
        case 7: .usernameDuplicated
        case 8: .profileExists
        case 9: .etagMismatch
        case 10: .selfFollow
        case 11: .notOwner
        case 12: .notTrusted
        case 13: .requestIDReused
        case 14: .pageTokenInvalid
        case 15: .resumeTokenInvalid
        case 30: .consistencyInvalid
        case 16: .dataLoss
        case 17: .storeFull
        case 18: .storeCorrupt
        case 19: .storeIoError
        case 20: .storeReadOnly
        case 21: .storeGone
        case 23: .storeUnreachable
        case 24: .storeOutdated
        case 22: .unavailable
        case 40: .withdrawing
        case 41: .notWithdrawing
        case 50: .idTokenMalformed
        case 51: .idTokenIssuerUnknown
        case 52: .idTokenAlgorithm
        case 53: .idTokenKeyUnknown
        case 54: .idTokenSignature
        case 55: .idTokenAudience
        case 56: .idTokenExpired
        case 57: .idTokenNotYetValid
        case 58: .idTokenNonce
        case 59: .idTokenReplayed
        case 60: .signInTooOld
        case 61: .identityInUse
        case 62: .identityNotFound
        case 63: .identityLast
        case 64: .identityLimit
        case 65: .rateLimited
        case 66: .usernameConfusable
        case 67: .usernameChangedRecently
        case 68: .watchLimit
        case 100: .imageTooLarge
        case 101: .imageDimensions
        case 102: .imageFormatUnsupported
        case 103: .imageInvalid
        case 104: .imageHashMismatch
        case 105: .imageNotStaged
        case 106: .imageNotFound
        case 107: .imageBusy
        case 108: .imageSizeUnknown
        case 109: .imageEmpty
        case 110: .imageTooSlow
        case 150: .diaryEntryNotFound
        case 151: .diaryEntryExists
        case 152: .diaryFull
        case 153: .diaryTooManyConflicts
        case 154: .diaryTooManyDevices
        case 155: .diaryDeviceUnknown
        case 156: .diaryDeviceCloned
        case 157: .diaryMutationGap
        case 158: .diaryClockSkewed
        case 159: .diaryResyncRequired
        case 160: .diaryLocked
        case 161: .diaryImageDiffers
        case 200: .usernameEmpty
        case 201: .usernameTooShort
        case 202: .usernameTooLong
        case 203: .usernameInvalidCharacters
        case 204: .usernameReserved
        case 205: .displayNameTooLong
        case 206: .displayNameInvalidCharacters
        case 207: .statusMessageTooLong
        case 208: .statusMessageInvalidCharacters
        case 209: .textTooLong
        case 210: .textInvalidCharacters
        case 211: .accountNameInvalid
        case 212: .deviceInvalid
        case 213: .requestIDInvalid
        case 214: .identifierInvalid
        case 215: .fieldMissing
        case 216: .fieldUnknown
        case 217: .fieldReadOnly
        case 218: .tooManyItems
        case 219: .pageSizeNegative
        case 220: .queryInvalid
        case 221: .gracePeriodInvalid
        case 222: .backupRateInvalid
        case 223: .logLevelInvalid
        case 224: .itemDuplicated
        case 230: .displayNameTooManyBytes
        case 231: .displayNameInvisible
        case 232: .displayNameReserved
        case 233: .statusMessageTooManyBytes
        case 234: .textTooManyBytes
        case 240: .diaryTextTooLong
        case 241: .diaryTextInvalidCharacters
        case 242: .emotionInvalid
        case 243: .entryTimeInvalid
        case 244: .deviceNameInvalid
        case 245: .diaryNumberInvalid
        default: .unrecognized(rawValue)
        }
    }

    /// The number.
    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .notAuthenticated: 1
        case .accountNotPermitted: 2
        case .identityNotProven: 3
        case .userNotFound: 4
        case .profileRequired: 5
        case .sessionNotFound: 6
        case .usernameDuplicated: 7
        case .profileExists: 8
        case .etagMismatch: 9
        case .selfFollow: 10
        case .notOwner: 11
        case .notTrusted: 12
        case .requestIDReused: 13
        case .pageTokenInvalid: 14
        case .resumeTokenInvalid: 15
        case .consistencyInvalid: 30
        case .dataLoss: 16
        case .storeFull: 17
        case .storeCorrupt: 18
        case .storeIoError: 19
        case .storeReadOnly: 20
        case .storeGone: 21
        case .storeUnreachable: 23
        case .storeOutdated: 24
        case .unavailable: 22
        case .withdrawing: 40
        case .notWithdrawing: 41
        case .idTokenMalformed: 50
        case .idTokenIssuerUnknown: 51
        case .idTokenAlgorithm: 52
        case .idTokenKeyUnknown: 53
        case .idTokenSignature: 54
        case .idTokenAudience: 55
        case .idTokenExpired: 56
        case .idTokenNotYetValid: 57
        case .idTokenNonce: 58
        case .idTokenReplayed: 59
        case .signInTooOld: 60
        case .identityInUse: 61
        case .identityNotFound: 62
        case .identityLast: 63
        case .identityLimit: 64
        case .rateLimited: 65
        case .usernameConfusable: 66
        case .usernameChangedRecently: 67
        case .watchLimit: 68
        case .imageTooLarge: 100
        case .imageDimensions: 101
        case .imageFormatUnsupported: 102
        case .imageInvalid: 103
        case .imageHashMismatch: 104
        case .imageNotStaged: 105
        case .imageNotFound: 106
        case .imageBusy: 107
        case .imageSizeUnknown: 108
        case .imageEmpty: 109
        case .imageTooSlow: 110
        case .diaryEntryNotFound: 150
        case .diaryEntryExists: 151
        case .diaryFull: 152
        case .diaryTooManyConflicts: 153
        case .diaryTooManyDevices: 154
        case .diaryDeviceUnknown: 155
        case .diaryDeviceCloned: 156
        case .diaryMutationGap: 157
        case .diaryClockSkewed: 158
        case .diaryResyncRequired: 159
        case .diaryLocked: 160
        case .diaryImageDiffers: 161
        case .usernameEmpty: 200
        case .usernameTooShort: 201
        case .usernameTooLong: 202
        case .usernameInvalidCharacters: 203
        case .usernameReserved: 204
        case .displayNameTooLong: 205
        case .displayNameInvalidCharacters: 206
        case .statusMessageTooLong: 207
        case .statusMessageInvalidCharacters: 208
        case .textTooLong: 209
        case .textInvalidCharacters: 210
        case .accountNameInvalid: 211
        case .deviceInvalid: 212
        case .requestIDInvalid: 213
        case .identifierInvalid: 214
        case .fieldMissing: 215
        case .fieldUnknown: 216
        case .fieldReadOnly: 217
        case .tooManyItems: 218
        case .pageSizeNegative: 219
        case .queryInvalid: 220
        case .gracePeriodInvalid: 221
        case .backupRateInvalid: 222
        case .logLevelInvalid: 223
        case .itemDuplicated: 224
        case .displayNameTooManyBytes: 230
        case .displayNameInvisible: 231
        case .displayNameReserved: 232
        case .statusMessageTooManyBytes: 233
        case .textTooManyBytes: 234
        case .diaryTextTooLong: 240
        case .diaryTextInvalidCharacters: 241
        case .emotionInvalid: 242
        case .entryTimeInvalid: 243
        case .deviceNameInvalid: 244
        case .diaryNumberInvalid: 245
        case .unrecognized(let number): number
        }
    }
}

/// `pulseboard/errors/v1/error_reason.proto` in protobuf's own terms, for server reflection.
public enum PBErrorReasonFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "pulseboard/errors/v1/error_reason.proto",
        dependencies: [],
        serialized: """
            \n'pulseboard/errors/v1/error_reason.proto\u{12}\u{14}pulseboard.errors.v1*\u{e7}\u{13}\n\u{b}Error\
            Reason\u{12}\u{1c}\n\u{18}ERROR_REASON_UNSPECIFIED\u{10}\0\u{12}\u{15}\n\u{11}NOT_AUTHENTICATED\
            \u{10}\u{1}\u{12}\u{19}\n\u{15}ACCOUNT_NOT_PERMITTED\u{10}\u{2}\u{12}\u{17}\n\u{13}IDENTITY_NOT_PRO\
            VEN\u{10}\u{3}\u{12}\u{12}\n\u{e}USER_NOT_FOUND\u{10}\u{4}\u{12}\u{14}\n\u{10}PROFILE_REQUIRED\
            \u{10}\u{5}\u{12}\u{15}\n\u{11}SESSION_NOT_FOUND\u{10}\u{6}\u{12}\u{17}\n\u{13}USERNAME_DUPLICATED\
            \u{10}\u{7}\u{12}\u{12}\n\u{e}PROFILE_EXISTS\u{10}\u{8}\u{12}\u{11}\n\rETAG_MISMATCH\u{10}\t\u{12}\
            \u{f}\n\u{b}SELF_FOLLOW\u{10}\n\u{12}\r\n\tNOT_OWNER\u{10}\u{b}\u{12}\u{f}\n\u{b}NOT_TRUSTED\u{10}\
            \u{c}\u{12}\u{15}\n\u{11}REQUEST_ID_REUSED\u{10}\r\u{12}\u{16}\n\u{12}PAGE_TOKEN_INVALID\u{10}\u{e}\
            \u{12}\u{18}\n\u{14}RESUME_TOKEN_INVALID\u{10}\u{f}\u{12}\u{17}\n\u{13}CONSISTENCY_INVALID\u{10}\
            \u{1e}\u{12}\r\n\tDATA_LOSS\u{10}\u{10}\u{12}\u{e}\n\nSTORE_FULL\u{10}\u{11}\u{12}\u{11}\n\rSTORE_C\
            ORRUPT\u{10}\u{12}\u{12}\u{12}\n\u{e}STORE_IO_ERROR\u{10}\u{13}\u{12}\u{13}\n\u{f}STORE_READ_ONLY\
            \u{10}\u{14}\u{12}\u{e}\n\nSTORE_GONE\u{10}\u{15}\u{12}\u{15}\n\u{11}STORE_UNREACHABLE\u{10}\u{17}\
            \u{12}\u{12}\n\u{e}STORE_OUTDATED\u{10}\u{18}\u{12}\u{f}\n\u{b}UNAVAILABLE\u{10}\u{16}\u{12}\u{f}\n\
            \u{b}WITHDRAWING\u{10}(\u{12}\u{13}\n\u{f}NOT_WITHDRAWING\u{10})\u{12}\u{16}\n\u{12}ID_TOKEN_MALFOR\
            MED\u{10}2\u{12}\u{1b}\n\u{17}ID_TOKEN_ISSUER_UNKNOWN\u{10}3\u{12}\u{16}\n\u{12}ID_TOKEN_ALGORITHM\
            \u{10}4\u{12}\u{18}\n\u{14}ID_TOKEN_KEY_UNKNOWN\u{10}5\u{12}\u{16}\n\u{12}ID_TOKEN_SIGNATURE\u{10}6\
            \u{12}\u{15}\n\u{11}ID_TOKEN_AUDIENCE\u{10}7\u{12}\u{14}\n\u{10}ID_TOKEN_EXPIRED\u{10}8\u{12}\u{1a}\
            \n\u{16}ID_TOKEN_NOT_YET_VALID\u{10}9\u{12}\u{12}\n\u{e}ID_TOKEN_NONCE\u{10}:\u{12}\u{15}\n\u{11}ID\
            _TOKEN_REPLAYED\u{10};\u{12}\u{13}\n\u{f}SIGN_IN_TOO_OLD\u{10}<\u{12}\u{13}\n\u{f}IDENTITY_IN_USE\
            \u{10}=\u{12}\u{16}\n\u{12}IDENTITY_NOT_FOUND\u{10}>\u{12}\u{11}\n\rIDENTITY_LAST\u{10}?\u{12}\
            \u{12}\n\u{e}IDENTITY_LIMIT\u{10}@\u{12}\u{10}\n\u{c}RATE_LIMITED\u{10}A\u{12}\u{17}\n\u{13}USERNAM\
            E_CONFUSABLE\u{10}B\u{12}\u{1d}\n\u{19}USERNAME_CHANGED_RECENTLY\u{10}C\u{12}\u{f}\n\u{b}WATCH_LIMI\
            T\u{10}D\u{12}\u{13}\n\u{f}IMAGE_TOO_LARGE\u{10}d\u{12}\u{14}\n\u{10}IMAGE_DIMENSIONS\u{10}e\u{12}\
            \u{1c}\n\u{18}IMAGE_FORMAT_UNSUPPORTED\u{10}f\u{12}\u{11}\n\rIMAGE_INVALID\u{10}g\u{12}\u{17}\n\
            \u{13}IMAGE_HASH_MISMATCH\u{10}h\u{12}\u{14}\n\u{10}IMAGE_NOT_STAGED\u{10}i\u{12}\u{13}\n\u{f}IMAGE\
            _NOT_FOUND\u{10}j\u{12}\u{e}\n\nIMAGE_BUSY\u{10}k\u{12}\u{16}\n\u{12}IMAGE_SIZE_UNKNOWN\u{10}l\
            \u{12}\u{f}\n\u{b}IMAGE_EMPTY\u{10}m\u{12}\u{12}\n\u{e}IMAGE_TOO_SLOW\u{10}n\u{12}\u{1a}\n\u{15}DIA\
            RY_ENTRY_NOT_FOUND\u{10}\u{96}\u{1}\u{12}\u{17}\n\u{12}DIARY_ENTRY_EXISTS\u{10}\u{97}\u{1}\u{12}\
            \u{f}\n\nDIARY_FULL\u{10}\u{98}\u{1}\u{12}\u{1d}\n\u{18}DIARY_TOO_MANY_CONFLICTS\u{10}\u{99}\u{1}\
            \u{12}\u{1b}\n\u{16}DIARY_TOO_MANY_DEVICES\u{10}\u{9a}\u{1}\u{12}\u{19}\n\u{14}DIARY_DEVICE_UNKNOWN\
            \u{10}\u{9b}\u{1}\u{12}\u{18}\n\u{13}DIARY_DEVICE_CLONED\u{10}\u{9c}\u{1}\u{12}\u{17}\n\u{12}DIARY_\
            MUTATION_GAP\u{10}\u{9d}\u{1}\u{12}\u{17}\n\u{12}DIARY_CLOCK_SKEWED\u{10}\u{9e}\u{1}\u{12}\u{1a}\n\
            \u{15}DIARY_RESYNC_REQUIRED\u{10}\u{9f}\u{1}\u{12}\u{11}\n\u{c}DIARY_LOCKED\u{10}\u{a0}\u{1}\u{12}\
            \u{18}\n\u{13}DIARY_IMAGE_DIFFERS\u{10}\u{a1}\u{1}\u{12}\u{13}\n\u{e}USERNAME_EMPTY\u{10}\u{c8}\
            \u{1}\u{12}\u{17}\n\u{12}USERNAME_TOO_SHORT\u{10}\u{c9}\u{1}\u{12}\u{16}\n\u{11}USERNAME_TOO_LONG\
            \u{10}\u{ca}\u{1}\u{12} \n\u{1b}USERNAME_INVALID_CHARACTERS\u{10}\u{cb}\u{1}\u{12}\u{16}\n\u{11}USE\
            RNAME_RESERVED\u{10}\u{cc}\u{1}\u{12}\u{1a}\n\u{15}DISPLAY_NAME_TOO_LONG\u{10}\u{cd}\u{1}\u{12}$\n\
            \u{1f}DISPLAY_NAME_INVALID_CHARACTERS\u{10}\u{ce}\u{1}\u{12}\u{1c}\n\u{17}STATUS_MESSAGE_TOO_LONG\
            \u{10}\u{cf}\u{1}\u{12}&\n!STATUS_MESSAGE_INVALID_CHARACTERS\u{10}\u{d0}\u{1}\u{12}\u{12}\n\rTEXT_T\
            OO_LONG\u{10}\u{d1}\u{1}\u{12}\u{1c}\n\u{17}TEXT_INVALID_CHARACTERS\u{10}\u{d2}\u{1}\u{12}\u{19}\n\
            \u{14}ACCOUNT_NAME_INVALID\u{10}\u{d3}\u{1}\u{12}\u{13}\n\u{e}DEVICE_INVALID\u{10}\u{d4}\u{1}\u{12}\
            \u{17}\n\u{12}REQUEST_ID_INVALID\u{10}\u{d5}\u{1}\u{12}\u{17}\n\u{12}IDENTIFIER_INVALID\u{10}\u{d6}\
            \u{1}\u{12}\u{12}\n\rFIELD_MISSING\u{10}\u{d7}\u{1}\u{12}\u{12}\n\rFIELD_UNKNOWN\u{10}\u{d8}\u{1}\
            \u{12}\u{14}\n\u{f}FIELD_READ_ONLY\u{10}\u{d9}\u{1}\u{12}\u{13}\n\u{e}TOO_MANY_ITEMS\u{10}\u{da}\
            \u{1}\u{12}\u{17}\n\u{12}PAGE_SIZE_NEGATIVE\u{10}\u{db}\u{1}\u{12}\u{12}\n\rQUERY_INVALID\u{10}\
            \u{dc}\u{1}\u{12}\u{19}\n\u{14}GRACE_PERIOD_INVALID\u{10}\u{dd}\u{1}\u{12}\u{18}\n\u{13}BACKUP_RATE\
            _INVALID\u{10}\u{de}\u{1}\u{12}\u{16}\n\u{11}LOG_LEVEL_INVALID\u{10}\u{df}\u{1}\u{12}\u{14}\n\u{f}I\
            TEM_DUPLICATED\u{10}\u{e0}\u{1}\u{12} \n\u{1b}DISPLAY_NAME_TOO_MANY_BYTES\u{10}\u{e6}\u{1}\u{12}\
            \u{1b}\n\u{16}DISPLAY_NAME_INVISIBLE\u{10}\u{e7}\u{1}\u{12}\u{1a}\n\u{15}DISPLAY_NAME_RESERVED\
            \u{10}\u{e8}\u{1}\u{12}\"\n\u{1d}STATUS_MESSAGE_TOO_MANY_BYTES\u{10}\u{e9}\u{1}\u{12}\u{18}\n\u{13}\
            TEXT_TOO_MANY_BYTES\u{10}\u{ea}\u{1}\u{12}\u{18}\n\u{13}DIARY_TEXT_TOO_LONG\u{10}\u{f0}\u{1}\u{12}\
            \"\n\u{1d}DIARY_TEXT_INVALID_CHARACTERS\u{10}\u{f1}\u{1}\u{12}\u{14}\n\u{f}EMOTION_INVALID\u{10}\
            \u{f2}\u{1}\u{12}\u{17}\n\u{12}ENTRY_TIME_INVALID\u{10}\u{f3}\u{1}\u{12}\u{18}\n\u{13}DEVICE_NAME_I\
            NVALID\u{10}\u{f4}\u{1}\u{12}\u{19}\n\u{14}DIARY_NUMBER_INVALID\u{10}\u{f5}\u{1}BQ\n\u{17}io.pulseb\
            oard.errors.v1B\u{10}ErrorReasonProtoP\u{1}Z\u{1d}pulseboard/errors/v1;errorsv1\u{ba}\u{2}\u{2}PBb\
            \u{6}proto3
            """)
}
