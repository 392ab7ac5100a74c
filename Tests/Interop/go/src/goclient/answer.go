package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/gogo/protobuf/jsonpb"
	"github.com/gogo/protobuf/proto"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A call's failure as printed on stdout: `{"error": {…}}`. A script reads `code` and `reason`.
type failure struct {
	Code       int32             `json:"code"`
	Name       string            `json:"name"`
	Message    string            `json:"message"`
	Reason     string            `json:"reason,omitempty"`
	Domain     string            `json:"domain,omitempty"`
	Violations []*fieldViolation `json:"violations,omitempty"`
	Locale     string            `json:"locale,omitempty"`
	Localized  string            `json:"localized,omitempty"`
}

// failureOf reads the status and its details out of an error of a call. It returns nil for an error that is no answer
// of the server: a broken connection, a refused message.
func failureOf(err error) (*failure, error) {
	answered, ok := status.FromError(err)
	if !ok {
		return nil, err
	}
	result := &failure{Code: int32(answered.Code()), Name: name(answered.Code()), Message: answered.Message()}
	for _, detail := range answered.Proto().Details {
		switch detail.TypeUrl[strings.LastIndex(detail.TypeUrl, "/")+1:] {
		case "google.rpc.ErrorInfo":
			var info errorInfo
			if err := proto.Unmarshal(detail.Value, &info); err != nil {
				return nil, fmt.Errorf("ErrorInfo does not parse: %w", err)
			}
			result.Reason, result.Domain = info.Reason, info.Domain
		case "google.rpc.BadRequest":
			var request badRequest
			if err := proto.Unmarshal(detail.Value, &request); err != nil {
				return nil, fmt.Errorf("BadRequest does not parse: %w", err)
			}
			result.Violations = request.FieldViolations
		case "google.rpc.LocalizedMessage":
			var localized localizedMessage
			if err := proto.Unmarshal(detail.Value, &localized); err != nil {
				return nil, fmt.Errorf("LocalizedMessage does not parse: %w", err)
			}
			result.Locale, result.Localized = localized.Locale, localized.Message
		}
	}
	return result, nil
}

// name gives a code in gRPC's own spelling: NotFound becomes NOT_FOUND.
func name(code codes.Code) string {
	if code == codes.Canceled { // Go spells it with one l
		return "CANCELLED"
	}
	var spelt bytes.Buffer
	previous := 'A'
	for _, letter := range code.String() {
		if letter >= 'A' && letter <= 'Z' && previous >= 'a' {
			spelt.WriteByte('_')
		}
		spelt.WriteRune(letter)
		previous = letter
	}
	return strings.ToUpper(spelt.String())
}

// printMessage writes an answer as one line of proto3 JSON, with every field present as in `pulseboard --json`.
func printMessage(message proto.Message) error {
	text, err := (&jsonpb.Marshaler{EmitDefaults: true}).MarshalToString(message)
	if err != nil {
		return err
	}
	fmt.Println(text)
	return nil
}

// printJSON writes any value as one line of JSON.
func printJSON(value interface{}) {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		fail("cannot print: %v", err)
	}
}

// fail ends the program for a reason other than an answer of the server.
func fail(format string, arguments ...interface{}) {
	fmt.Fprintf(os.Stderr, "goclient: "+format+"\n", arguments...)
	os.Exit(2)
}
