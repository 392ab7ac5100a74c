package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gogo/protobuf/proto"
)

const hammerUsage = "TOKEN CALLS CONCURRENCY USERNAME…   CALLS reads over one connection, each answer checked"

// An id that no account has: version 0, where the server's ids are version 4 or 7.
const nobody = "00000000-0000-0000-0000-000000000001"

// hammer sends many different calls at once over one connection and checks that each answer belongs to its call: an
// answer on the wrong stream, a torn frame or a shared buffer shows as another person's data.
func hammer(p *peer, words []string) {
	if len(words) < 4 {
		usage()
	}
	p.token = words[0]
	calls, concurrency := number(words[1]), number(words[2])
	people := peopleNamed(p, words[3:])

	var next, failed int64
	var firstFailure sync.Once
	var workers sync.WaitGroup
	start := time.Now()
	for worker := int64(0); worker < concurrency; worker++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for turn := atomic.AddInt64(&next, 1); turn <= calls; turn = atomic.AddInt64(&next, 1) {
				if err := check(p, people, turn); err != nil {
					atomic.AddInt64(&failed, 1)
					firstFailure.Do(func() { fmt.Fprintf(os.Stderr, "goclient: call %d: %v\n", turn, err) })
				}
			}
		}()
	}
	workers.Wait()
	seconds := time.Since(start).Seconds()
	printJSON(map[string]interface{}{"calls": calls, "failed": failed, "callsPerSecond": int64(float64(calls) / seconds)})
	if failed > 0 {
		os.Exit(1)
	}
}

func number(word string) int64 {
	value, err := strconv.ParseInt(word, 10, 64)
	if err != nil || value < 1 {
		fail("%q is not a positive number", word)
	}
	return value
}

func peopleNamed(p *peer, usernames []string) []*profile {
	var people []*profile
	for _, username := range usernames {
		person := &profile{}
		if err := p.call(profileService, "GetProfile", &getProfileRequest{Username: username}, person); err != nil {
			fail("%s: %v", username, err)
		}
		people = append(people, person)
	}
	return people
}

// check makes one of several calls, chosen by its turn, about one of the people, and compares the answer.
func check(p *peer, people []*profile, turn int64) error {
	person := people[(turn/6)%int64(len(people))]
	switch turn % 6 {
	case 0:
		return expectSame(p, &getProfileRequest{UserID: person.UserID}, person)
	case 1:
		return expectSame(p, &getProfileRequest{Username: strings.ToUpper(person.Username)}, person)
	case 2:
		return expectBatch(p, people, turn)
	case 3:
		var answer relationship
		if err := p.call(followService, "GetRelationship", &userIDRequest{UserID: person.UserID}, &answer); err != nil {
			return err
		}
		if answer.UserID != person.UserID || answer.State == 0 {
			return fmt.Errorf("asked for the relationship to %s, got %v", person.UserID, &answer)
		}
		return nil
	case 4:
		// An answer contains the text that it is about. No username contains a space.
		asked := fmt.Sprintf("no %d", turn)
		var answer checkUsernameResponse
		if err := p.call(profileService, "CheckUsername", &checkUsernameRequest{Username: asked}, &answer); err != nil {
			return err
		}
		if answer.Available || answer.Normalized != asked {
			return fmt.Errorf("asked about %q, got %v", asked, &answer)
		}
		return nil
	default:
		return expectFailure(p.call(profileService, "GetProfile", &getProfileRequest{UserID: nobody}, &profile{}), 5, "USER_NOT_FOUND")
	}
}

func expectSame(p *peer, request *getProfileRequest, person *profile) error {
	var answer profile
	if err := p.call(profileService, "GetProfile", request, &answer); err != nil {
		return err
	}
	if !proto.Equal(&answer, person) {
		return fmt.Errorf("asked for %v, got %v", person, &answer)
	}
	return nil
}

// expectBatch asks for everybody in a different order each turn, with an unknown user in the middle.
func expectBatch(p *peer, people []*profile, turn int64) error {
	var request userIDs
	var expected profiles
	for index := range people {
		person := people[(int64(index)+turn)%int64(len(people))]
		request.UserIDs = append(request.UserIDs, person.UserID)
		expected.Profiles = append(expected.Profiles, person)
		if index == 0 {
			request.UserIDs = append(request.UserIDs, nobody)
			expected.MissingUserIDs = []string{nobody}
		}
	}
	var answer profiles
	if err := p.call(profileService, "BatchGetProfiles", &request, &answer); err != nil {
		return err
	}
	if !proto.Equal(&answer, &expected) {
		return fmt.Errorf("asked for %v, got %v", &expected, &answer)
	}
	return nil
}

func expectFailure(err error, code int32, reason string) error {
	if err == nil {
		return fmt.Errorf("expected %s, got an answer", reason)
	}
	failed, unanswered := failureOf(err)
	if unanswered != nil {
		return unanswered
	}
	if failed.Code != code || failed.Reason != reason {
		return fmt.Errorf("expected %d %s, got %+v", code, reason, *failed)
	}
	return nil
}
