// Goclient is a ttrpc client of PulseBoard that shares only the field numbers with the project. The framing and the calls
// are containerd's ttrpc, the encoding is gogo/protobuf's. The interop tests compare its output with the CLI's.
//
// It prints the answer on stdout as one line of proto3 JSON and exits 0; for an error answered by the server it prints
// `{"error": {…}}` and exits 1; anything else (usage, connection) goes to stderr with exit status 2.
package main

import (
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"net"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/proto"
	"github.com/gogo/protobuf/types"
)

const (
	authService    = "pulseboard.auth.v1.AuthService"
	profileService = "pulseboard.profile.v1.ProfileService"
	followService  = "pulseboard.follow.v1.FollowService"
)

// A peer is one connection, with the metadata of its calls.
type peer struct {
	client   *ttrpc.Client
	token    string
	language string
	timeout  time.Duration
}

func (p *peer) call(service, method string, request, answer proto.Message) error {
	metadata := ttrpc.MD{}
	if p.token != "" {
		metadata.Set("authorization", "Bearer "+p.token)
	}
	if p.language != "" {
		metadata.Set("accept-language", p.language)
	}
	ctx := ttrpc.WithMetadata(context.Background(), metadata)
	if p.timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, p.timeout)
		defer cancel()
		ctx = limited
	}
	return p.client.Call(ctx, service, method, request, answer)
}

// A command takes the words after its token and returns the call to make.
type command struct {
	usage string
	// Whether the first word is a session token.
	authorized bool
	words      int
	call       func(words []string) (service, method string, request, answer proto.Message)
}

var commands = map[string]command{
	"sign-in": {"[ACCOUNT]", false, 0, func(w []string) (string, string, proto.Message, proto.Message) {
		return authService, "SignIn", &signInRequest{Peer: &peerCredential{Account: optional(w, 0)}}, &signInResponse{}
	}},
	"sign-out": {"TOKEN [all]", true, 0, func(w []string) (string, string, proto.Message, proto.Message) {
		return authService, "SignOut", &signOutRequest{AllSessions: optional(w, 0) == "all"}, &empty{}
	}},
	"auth-state": {"TOKEN", true, 0, func(w []string) (string, string, proto.Message, proto.Message) {
		return authService, "GetAuthState", &empty{}, &stateAnswer{}
	}},
	"sessions": {"TOKEN", true, 0, func(w []string) (string, string, proto.Message, proto.Message) {
		return authService, "ListSessions", &empty{}, &sessions{}
	}},
	"get-my-profile": {"TOKEN", true, 0, func(w []string) (string, string, proto.Message, proto.Message) {
		return profileService, "GetMyProfile", &empty{}, &profile{}
	}},
	"get-profile": {"TOKEN USERNAME|USERID", true, 1, func(w []string) (string, string, proto.Message, proto.Message) {
		return profileService, "GetProfile", profileKey(w[0]), &profile{}
	}},
	"get-profiles": {"TOKEN USERID…", true, 1, func(w []string) (string, string, proto.Message, proto.Message) {
		return profileService, "BatchGetProfiles", &userIDs{UserIDs: w}, &profiles{}
	}},
	"create-profile": {"TOKEN USERNAME DISPLAY [REQUESTID]", true, 2, func(w []string) (string, string, proto.Message, proto.Message) {
		request := &createProfileRequest{Username: w[0], DisplayName: w[1], RequestID: optional(w, 2)}
		return profileService, "CreateProfile", request, &profile{}
	}},
	"create-profile-of-bytes": {"TOKEN BASE64", true, 1, func(w []string) (string, string, proto.Message, proto.Message) {
		username, err := base64.StdEncoding.DecodeString(w[0])
		if err != nil {
			fail("%v", err)
		}
		return profileService, "CreateProfile", &createProfileRequestOfBytes{Username: username}, &profile{}
	}},
	"set-status": {"TOKEN TEXT [ETAG]", true, 1, func(w []string) (string, string, proto.Message, proto.Message) {
		request := &updateProfileRequest{
			Profile:    &profile{StatusMessage: w[0], Etag: optional(w, 1)},
			UpdateMask: &types.FieldMask{Paths: []string{"status_message"}},
		}
		return profileService, "UpdateProfile", request, &profile{}
	}},
	"delete-my-profile": {"TOKEN", true, 0, func(w []string) (string, string, proto.Message, proto.Message) {
		return profileService, "DeleteMyProfile", &deleteMyProfileRequest{}, &empty{}
	}},
	"check-username": {"TOKEN USERNAME", true, 1, func(w []string) (string, string, proto.Message, proto.Message) {
		return profileService, "CheckUsername", &checkUsernameRequest{Username: w[0]}, &checkUsernameResponse{}
	}},
	"search": {"TOKEN TEXT", true, 1, func(w []string) (string, string, proto.Message, proto.Message) {
		return profileService, "SearchProfiles", &searchProfilesRequest{Query: w[0]}, &searchProfilesResponse{}
	}},
	"follow": {"TOKEN USERID [REQUESTID]", true, 1, func(w []string) (string, string, proto.Message, proto.Message) {
		return followService, "Follow", &followRequest{UserID: w[0], RequestID: optional(w, 1)}, &relationship{}
	}},
	"unfollow": {"TOKEN USERID [REQUESTID]", true, 1, func(w []string) (string, string, proto.Message, proto.Message) {
		return followService, "Unfollow", &followRequest{UserID: w[0], RequestID: optional(w, 1)}, &relationship{}
	}},
	"relationship": {"TOKEN USERID", true, 1, func(w []string) (string, string, proto.Message, proto.Message) {
		return followService, "GetRelationship", &userIDRequest{UserID: w[0]}, &relationship{}
	}},
	"followers": {"TOKEN USERID [PAGETOKEN]", true, 1, func(w []string) (string, string, proto.Message, proto.Message) {
		return followService, "ListFollowers", &listRequest{UserID: w[0], PageToken: optional(w, 1)}, &listResponse{}
	}},
	"following": {"TOKEN USERID [PAGETOKEN]", true, 1, func(w []string) (string, string, proto.Message, proto.Message) {
		return followService, "ListFollowing", &listRequest{UserID: w[0], PageToken: optional(w, 1)}, &listResponse{}
	}},
	"counts": {"TOKEN USERID", true, 1, func(w []string) (string, string, proto.Message, proto.Message) {
		return followService, "GetFollowCounts", &userIDRequest{UserID: w[0]}, &followCounts{}
	}},
	"call": {"TOKEN SERVICE METHOD", true, 2, func(w []string) (string, string, proto.Message, proto.Message) {
		return w[0], w[1], &empty{}, &empty{}
	}},
}

func optional(words []string, index int) string {
	if index < len(words) {
		return words[index]
	}
	return ""
}

// profileKey distinguishes a user's UUID from a username by its length, because no username is that long.
func profileKey(word string) proto.Message {
	if len(word) == 36 && strings.Count(word, "-") == 4 {
		return &getProfileRequest{UserID: word}
	}
	return &getProfileRequest{Username: word}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: goclient [-language TAG] [-timeout DURATION] SOCKET COMMAND …")
	var names []string
	for name := range commands {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(os.Stderr, "  %s %s\n", name, commands[name].usage)
	}
	fmt.Fprintf(os.Stderr, "  enrol %s\n  hammer %s\n  tasks   every method of containerd's Task service\n", enrolUsage, hammerUsage)
	os.Exit(2)
}

func main() {
	flag.Usage = usage
	language := flag.String("language", "", "accept-language of the calls")
	timeout := flag.Duration("timeout", 30*time.Second, "deadline of each call, 0 for none")
	flag.Parse()
	if flag.NArg() < 2 {
		usage()
	}
	connection, err := net.Dial("unix", flag.Arg(0))
	if err != nil {
		fail("%v", err)
	}
	p := &peer{client: ttrpc.NewClient(connection), language: *language, timeout: *timeout}
	defer p.client.Close()

	name, words := flag.Arg(1), flag.Args()[2:]
	switch name {
	case "hammer":
		hammer(p, words)
		return
	case "enrol":
		enrol(p, words)
		return
	case "tasks":
		tasks(p)
		return
	}
	chosen, known := commands[name]
	if !known {
		fail("unknown command %q; goclient -help lists them", name)
	}
	if chosen.authorized {
		if len(words) == 0 {
			fail("usage: %s %s", name, chosen.usage)
		}
		p.token, words = words[0], words[1:]
	}
	if len(words) < chosen.words {
		fail("usage: %s %s", name, chosen.usage)
	}
	service, method, request, answer := chosen.call(words)
	report(p.call(service, method, request, answer), answer)
}

// report prints the result of a call and ends the program with its status.
func report(err error, answer proto.Message) {
	if err != nil {
		failed, unanswered := failureOf(err)
		if unanswered != nil {
			fail("%v", unanswered)
		}
		printJSON(map[string]*failure{"error": failed})
		os.Exit(1)
	}
	if err := printMessage(answer); err != nil {
		fail("%v", err)
	}
}
