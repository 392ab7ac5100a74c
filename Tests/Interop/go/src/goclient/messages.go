package main

import (
	"github.com/gogo/protobuf/proto"
	"github.com/gogo/protobuf/types"
)

// The messages of this peer, written by hand from the field numbers in Proto/ and encoded by gogo/protobuf through
// reflection. Neither the project's plugin nor protobuf-c generated anything here.
//
// A oneof of scalars is written as plain fields, which is the same on the wire if exactly one is not empty.

type authState int32

var authStateNames = map[int32]string{0: "STATE_UNSPECIFIED", 1: "STATE_SIGNED_OUT", 2: "STATE_NEEDS_PROFILE", 3: "STATE_READY"}

func (s authState) String() string { return proto.EnumName(authStateNames, int32(s)) }

type relationshipState int32

var relationshipStateNames = map[int32]string{0: "STATE_UNSPECIFIED", 1: "STATE_PERSONAL", 2: "STATE_FOLLOWED", 3: "STATE_UNFOLLOWED"}

func (s relationshipState) String() string { return proto.EnumName(relationshipStateNames, int32(s)) }

// pulseboard.auth.v1

type peerCredential struct {
	Account string `protobuf:"bytes,1,opt,name=account,proto3"`
}

type signInRequest struct {
	Peer *peerCredential `protobuf:"bytes,1,opt,name=peer,proto3"`
}

type device struct {
	ID       string `protobuf:"bytes,1,opt,name=id,proto3"`
	Name     string `protobuf:"bytes,2,opt,name=name,proto3"`
	Platform string `protobuf:"bytes,3,opt,name=platform,proto3"`
}

type signInResponse struct {
	Session *session     `protobuf:"bytes,1,opt,name=session,proto3"`
	Token   string       `protobuf:"bytes,2,opt,name=token,proto3"`
	State   *stateAnswer `protobuf:"bytes,3,opt,name=state,proto3"`
}

type session struct {
	SessionID  string           `protobuf:"bytes,1,opt,name=session_id,json=sessionId,proto3"`
	UserID     string           `protobuf:"bytes,2,opt,name=user_id,json=userId,proto3"`
	Account    string           `protobuf:"bytes,3,opt,name=account,proto3"`
	Device     *device          `protobuf:"bytes,4,opt,name=device,proto3"`
	CreateTime *types.Timestamp `protobuf:"bytes,5,opt,name=create_time,json=createTime,proto3"`
	ExpireTime *types.Timestamp `protobuf:"bytes,6,opt,name=expire_time,json=expireTime,proto3"`
	Current    bool             `protobuf:"varint,7,opt,name=current,proto3"`
}

type signOutRequest struct {
	AllSessions bool `protobuf:"varint,1,opt,name=all_sessions,json=allSessions,proto3"`
}

type stateAnswer struct {
	State  authState `protobuf:"varint,1,opt,name=state,proto3,enum=pulseboard.auth.v1.AuthState_State"`
	UserID string    `protobuf:"bytes,2,opt,name=user_id,json=userId,proto3"`
}

type sessions struct {
	Sessions      []*session `protobuf:"bytes,1,rep,name=sessions,proto3"`
	NextPageToken string     `protobuf:"bytes,2,opt,name=next_page_token,json=nextPageToken,proto3"`
}

// pulseboard.profile.v1

type profile struct {
	UserID        string           `protobuf:"bytes,1,opt,name=user_id,json=userId,proto3"`
	Username      string           `protobuf:"bytes,2,opt,name=username,proto3"`
	DisplayName   string           `protobuf:"bytes,3,opt,name=display_name,json=displayName,proto3"`
	StatusMessage string           `protobuf:"bytes,4,opt,name=status_message,json=statusMessage,proto3"`
	CreateTime    *types.Timestamp `protobuf:"bytes,6,opt,name=create_time,json=createTime,proto3"`
	UpdateTime    *types.Timestamp `protobuf:"bytes,7,opt,name=update_time,json=updateTime,proto3"`
	Etag          string           `protobuf:"bytes,8,opt,name=etag,proto3"`
}

type getProfileRequest struct {
	UserID   string `protobuf:"bytes,1,opt,name=user_id,json=userId,proto3"`
	Username string `protobuf:"bytes,2,opt,name=username,proto3"`
}

type userIDs struct {
	UserIDs []string `protobuf:"bytes,1,rep,name=user_ids,json=userIds,proto3"`
}

type profiles struct {
	Profiles       []*profile `protobuf:"bytes,1,rep,name=profiles,proto3"`
	MissingUserIDs []string   `protobuf:"bytes,2,rep,name=missing_user_ids,json=missingUserIds,proto3"`
}

type createProfileRequest struct {
	Username      string `protobuf:"bytes,1,opt,name=username,proto3"`
	DisplayName   string `protobuf:"bytes,2,opt,name=display_name,json=displayName,proto3"`
	StatusMessage string `protobuf:"bytes,3,opt,name=status_message,json=statusMessage,proto3"`
	RequestID     string `protobuf:"bytes,4,opt,name=request_id,json=requestId,proto3"`
}

// A createProfileRequest whose username can be any bytes. On the wire, bytes and string are the same.
type createProfileRequestOfBytes struct {
	Username []byte `protobuf:"bytes,1,opt,name=username,proto3"`
}

type updateProfileRequest struct {
	Profile    *profile         `protobuf:"bytes,1,opt,name=profile,proto3"`
	UpdateMask *types.FieldMask `protobuf:"bytes,2,opt,name=update_mask,json=updateMask,proto3"`
	RequestID  string           `protobuf:"bytes,3,opt,name=request_id,json=requestId,proto3"`
}

type deleteMyProfileRequest struct {
	RequestID string `protobuf:"bytes,1,opt,name=request_id,json=requestId,proto3"`
}

type checkUsernameRequest struct {
	Username string `protobuf:"bytes,1,opt,name=username,proto3"`
}

type usernameViolation struct {
	Reason  string            `protobuf:"bytes,1,opt,name=reason,proto3"`
	Message *localizedMessage `protobuf:"bytes,2,opt,name=message,proto3"`
}

type checkUsernameResponse struct {
	Violations []*usernameViolation `protobuf:"bytes,1,rep,name=violations,proto3"`
	Available  bool                 `protobuf:"varint,2,opt,name=available,proto3"`
	Normalized string               `protobuf:"bytes,3,opt,name=normalized,proto3"`
	Username   string               `protobuf:"bytes,4,opt,name=username,proto3"`
}

type profileImage struct {
	Path        string `protobuf:"bytes,1,opt,name=path,proto3"`
	ContentType string `protobuf:"bytes,2,opt,name=content_type,json=contentType,proto3"`
}

type userSummary struct {
	UserID      string        `protobuf:"bytes,1,opt,name=user_id,json=userId,proto3"`
	Username    string        `protobuf:"bytes,2,opt,name=username,proto3"`
	DisplayName string        `protobuf:"bytes,3,opt,name=display_name,json=displayName,proto3"`
	Image       *profileImage `protobuf:"bytes,4,opt,name=image,proto3"`
}

type searchProfilesRequest struct {
	Query     string `protobuf:"bytes,1,opt,name=query,proto3"`
	PageSize  int32  `protobuf:"varint,2,opt,name=page_size,json=pageSize,proto3"`
	PageToken string `protobuf:"bytes,3,opt,name=page_token,json=pageToken,proto3"`
}

type searchProfilesResponse struct {
	Users         []*userSummary `protobuf:"bytes,1,rep,name=users,proto3"`
	NextPageToken string         `protobuf:"bytes,2,opt,name=next_page_token,json=nextPageToken,proto3"`
}

// pulseboard.follow.v1

type userIDRequest struct {
	UserID string `protobuf:"bytes,1,opt,name=user_id,json=userId,proto3"`
}

type followRequest struct {
	UserID    string `protobuf:"bytes,1,opt,name=user_id,json=userId,proto3"`
	RequestID string `protobuf:"bytes,2,opt,name=request_id,json=requestId,proto3"`
}

type relationship struct {
	UserID     string            `protobuf:"bytes,1,opt,name=user_id,json=userId,proto3"`
	State      relationshipState `protobuf:"varint,2,opt,name=state,proto3,enum=pulseboard.follow.v1.Relationship_State"`
	FollowedBy bool              `protobuf:"varint,3,opt,name=followed_by,json=followedBy,proto3"`
	FollowTime *types.Timestamp  `protobuf:"bytes,4,opt,name=follow_time,json=followTime,proto3"`
}

type listRequest struct {
	UserID    string `protobuf:"bytes,1,opt,name=user_id,json=userId,proto3"`
	PageSize  int32  `protobuf:"varint,2,opt,name=page_size,json=pageSize,proto3"`
	PageToken string `protobuf:"bytes,3,opt,name=page_token,json=pageToken,proto3"`
}

type followUser struct {
	User       *userSummary     `protobuf:"bytes,1,opt,name=user,proto3"`
	FollowTime *types.Timestamp `protobuf:"bytes,2,opt,name=follow_time,json=followTime,proto3"`
}

type listResponse struct {
	Users         []*followUser `protobuf:"bytes,1,rep,name=users,proto3"`
	NextPageToken string        `protobuf:"bytes,2,opt,name=next_page_token,json=nextPageToken,proto3"`
}

type followCounts struct {
	Followers int64 `protobuf:"varint,1,opt,name=followers,proto3"`
	Following int64 `protobuf:"varint,2,opt,name=following,proto3"`
}

// google.rpc

type errorInfo struct {
	Reason   string            `protobuf:"bytes,1,opt,name=reason,proto3"`
	Domain   string            `protobuf:"bytes,2,opt,name=domain,proto3"`
	Metadata map[string]string `protobuf:"bytes,3,rep,name=metadata,proto3" protobuf_key:"bytes,1,opt,name=key,proto3" protobuf_val:"bytes,2,opt,name=value,proto3"`
}

type fieldViolation struct {
	Field       string `protobuf:"bytes,1,opt,name=field,proto3" json:"field,omitempty"`
	Description string `protobuf:"bytes,2,opt,name=description,proto3" json:"description,omitempty"`
	Reason      string `protobuf:"bytes,3,opt,name=reason,proto3" json:"reason,omitempty"`
}

type badRequest struct {
	FieldViolations []*fieldViolation `protobuf:"bytes,1,rep,name=field_violations,json=fieldViolations,proto3"`
}

type localizedMessage struct {
	Locale  string `protobuf:"bytes,1,opt,name=locale,proto3"`
	Message string `protobuf:"bytes,2,opt,name=message,proto3"`
}

// A message without fields.
type empty struct{}

func init() {
	proto.RegisterEnum("pulseboard.auth.v1.AuthState_State", authStateNames, valuesOf(authStateNames))
	proto.RegisterEnum("pulseboard.follow.v1.Relationship_State", relationshipStateNames, valuesOf(relationshipStateNames))
}

func valuesOf(names map[int32]string) map[string]int32 {
	values := make(map[string]int32, len(names))
	for number, name := range names {
		values[name] = number
	}
	return values
}
