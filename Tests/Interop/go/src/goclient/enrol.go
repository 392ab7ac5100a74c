package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gogo/protobuf/proto"
)

const enrolUsage = "USERID COUNT CONCURRENCY   new accounts that follow USERID; prints each once it is acknowledged"

// enrol makes new accounts with profiles that all follow one user, several at a time over one connection. Each is printed
// as soon as the server has acknowledged both writes, and not before: what is printed must survive the server's death.
// It exits 0 when all are made and 2 as soon as one call fails for whatever reason.
func enrol(p *peer, words []string) {
	if len(words) != 3 {
		usage()
	}
	hub, count, concurrency := words[0], number(words[1]), number(words[2])
	var next int64
	var printing sync.Mutex
	var workers sync.WaitGroup
	var failed int64
	for worker := int64(0); worker < concurrency; worker++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for turn := atomic.AddInt64(&next, 1); turn <= count && atomic.LoadInt64(&failed) == 0; turn = atomic.AddInt64(&next, 1) {
				made, err := enrolOne(p, hub, turn)
				if err != nil {
					if atomic.AddInt64(&failed, 1) == 1 {
						fmt.Fprintf(os.Stderr, "goclient: account %d: %v\n", turn, err)
					}
					return
				}
				printing.Lock()
				printJSON(map[string]string{"userId": made.UserID, "username": made.Username})
				printing.Unlock()
			}
		}()
	}
	workers.Wait()
	if failed > 0 {
		os.Exit(2)
	}
}

func enrolOne(p *peer, hub string, turn int64) (*profile, error) {
	name := fmt.Sprintf("e%d", turn)
	var opened signInResponse
	request := &signInRequest{Peer: &peerCredential{Account: "enrolled-" + name}}
	if err := p.call(authService, "SignIn", request, &opened); err != nil {
		return nil, err
	}
	// Each account has its own session, and all share one connection.
	own := &peer{client: p.client, token: opened.Token, timeout: p.timeout}
	made := &profile{}
	if err := own.call(profileService, "CreateProfile", &createProfileRequest{Username: name, DisplayName: strings.ToUpper(name)}, made); err != nil {
		return nil, err
	}
	var related relationship
	if err := own.call(followService, "Follow", &followRequest{UserID: hub}, &related); err != nil {
		return nil, err
	}
	if !proto.Equal(&related, &relationship{UserID: hub, State: 2, FollowTime: related.FollowTime}) || related.FollowTime == nil {
		return nil, fmt.Errorf("followed %s, got %v", hub, &related)
	}
	return made, nil
}
