package main

import "github.com/gogo/protobuf/proto"

// The methods that gogo/protobuf requires of every message.

func (m *peerCredential) Reset()         { *m = peerCredential{} }
func (m *peerCredential) String() string { return proto.CompactTextString(m) }
func (*peerCredential) ProtoMessage()    {}

func (m *signInRequest) Reset()         { *m = signInRequest{} }
func (m *signInRequest) String() string { return proto.CompactTextString(m) }
func (*signInRequest) ProtoMessage()    {}

func (m *device) Reset()         { *m = device{} }
func (m *device) String() string { return proto.CompactTextString(m) }
func (*device) ProtoMessage()    {}

func (m *signInResponse) Reset()         { *m = signInResponse{} }
func (m *signInResponse) String() string { return proto.CompactTextString(m) }
func (*signInResponse) ProtoMessage()    {}

func (m *profileImage) Reset()         { *m = profileImage{} }
func (m *profileImage) String() string { return proto.CompactTextString(m) }
func (*profileImage) ProtoMessage()    {}

func (m *userSummary) Reset()         { *m = userSummary{} }
func (m *userSummary) String() string { return proto.CompactTextString(m) }
func (*userSummary) ProtoMessage()    {}

func (m *session) Reset()         { *m = session{} }
func (m *session) String() string { return proto.CompactTextString(m) }
func (*session) ProtoMessage()    {}

func (m *signOutRequest) Reset()         { *m = signOutRequest{} }
func (m *signOutRequest) String() string { return proto.CompactTextString(m) }
func (*signOutRequest) ProtoMessage()    {}

func (m *stateAnswer) Reset()         { *m = stateAnswer{} }
func (m *stateAnswer) String() string { return proto.CompactTextString(m) }
func (*stateAnswer) ProtoMessage()    {}

func (m *sessions) Reset()         { *m = sessions{} }
func (m *sessions) String() string { return proto.CompactTextString(m) }
func (*sessions) ProtoMessage()    {}

func (m *profile) Reset()         { *m = profile{} }
func (m *profile) String() string { return proto.CompactTextString(m) }
func (*profile) ProtoMessage()    {}

func (m *getProfileRequest) Reset()         { *m = getProfileRequest{} }
func (m *getProfileRequest) String() string { return proto.CompactTextString(m) }
func (*getProfileRequest) ProtoMessage()    {}

func (m *userIDs) Reset()         { *m = userIDs{} }
func (m *userIDs) String() string { return proto.CompactTextString(m) }
func (*userIDs) ProtoMessage()    {}

func (m *profiles) Reset()         { *m = profiles{} }
func (m *profiles) String() string { return proto.CompactTextString(m) }
func (*profiles) ProtoMessage()    {}

func (m *createProfileRequest) Reset()         { *m = createProfileRequest{} }
func (m *createProfileRequest) String() string { return proto.CompactTextString(m) }
func (*createProfileRequest) ProtoMessage()    {}

func (m *createProfileRequestOfBytes) Reset()         { *m = createProfileRequestOfBytes{} }
func (m *createProfileRequestOfBytes) String() string { return proto.CompactTextString(m) }
func (*createProfileRequestOfBytes) ProtoMessage()    {}

func (m *updateProfileRequest) Reset()         { *m = updateProfileRequest{} }
func (m *updateProfileRequest) String() string { return proto.CompactTextString(m) }
func (*updateProfileRequest) ProtoMessage()    {}

func (m *deleteMyProfileRequest) Reset()         { *m = deleteMyProfileRequest{} }
func (m *deleteMyProfileRequest) String() string { return proto.CompactTextString(m) }
func (*deleteMyProfileRequest) ProtoMessage()    {}

func (m *checkUsernameRequest) Reset()         { *m = checkUsernameRequest{} }
func (m *checkUsernameRequest) String() string { return proto.CompactTextString(m) }
func (*checkUsernameRequest) ProtoMessage()    {}

func (m *usernameViolation) Reset()         { *m = usernameViolation{} }
func (m *usernameViolation) String() string { return proto.CompactTextString(m) }
func (*usernameViolation) ProtoMessage()    {}

func (m *checkUsernameResponse) Reset()         { *m = checkUsernameResponse{} }
func (m *checkUsernameResponse) String() string { return proto.CompactTextString(m) }
func (*checkUsernameResponse) ProtoMessage()    {}

func (m *searchProfilesRequest) Reset()         { *m = searchProfilesRequest{} }
func (m *searchProfilesRequest) String() string { return proto.CompactTextString(m) }
func (*searchProfilesRequest) ProtoMessage()    {}

func (m *searchProfilesResponse) Reset()         { *m = searchProfilesResponse{} }
func (m *searchProfilesResponse) String() string { return proto.CompactTextString(m) }
func (*searchProfilesResponse) ProtoMessage()    {}

func (m *userIDRequest) Reset()         { *m = userIDRequest{} }
func (m *userIDRequest) String() string { return proto.CompactTextString(m) }
func (*userIDRequest) ProtoMessage()    {}

func (m *followRequest) Reset()         { *m = followRequest{} }
func (m *followRequest) String() string { return proto.CompactTextString(m) }
func (*followRequest) ProtoMessage()    {}

func (m *relationship) Reset()         { *m = relationship{} }
func (m *relationship) String() string { return proto.CompactTextString(m) }
func (*relationship) ProtoMessage()    {}

func (m *listRequest) Reset()         { *m = listRequest{} }
func (m *listRequest) String() string { return proto.CompactTextString(m) }
func (*listRequest) ProtoMessage()    {}

func (m *followUser) Reset()         { *m = followUser{} }
func (m *followUser) String() string { return proto.CompactTextString(m) }
func (*followUser) ProtoMessage()    {}

func (m *listResponse) Reset()         { *m = listResponse{} }
func (m *listResponse) String() string { return proto.CompactTextString(m) }
func (*listResponse) ProtoMessage()    {}

func (m *followCounts) Reset()         { *m = followCounts{} }
func (m *followCounts) String() string { return proto.CompactTextString(m) }
func (*followCounts) ProtoMessage()    {}

func (m *errorInfo) Reset()         { *m = errorInfo{} }
func (m *errorInfo) String() string { return proto.CompactTextString(m) }
func (*errorInfo) ProtoMessage()    {}

func (m *fieldViolation) Reset()         { *m = fieldViolation{} }
func (m *fieldViolation) String() string { return proto.CompactTextString(m) }
func (*fieldViolation) ProtoMessage()    {}

func (m *badRequest) Reset()         { *m = badRequest{} }
func (m *badRequest) String() string { return proto.CompactTextString(m) }
func (*badRequest) ProtoMessage()    {}

func (m *localizedMessage) Reset()         { *m = localizedMessage{} }
func (m *localizedMessage) String() string { return proto.CompactTextString(m) }
func (*localizedMessage) ProtoMessage()    {}

func (m *empty) Reset()         { *m = empty{} }
func (m *empty) String() string { return proto.CompactTextString(m) }
func (*empty) ProtoMessage()    {}
