"""The few lines of protobuf that requests made by hand need."""


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """A string, bytes or message."""
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(message):
    """The fields of a message by number. Of a repeated field, the last value."""
    found, at = {}, 0

    def take():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        key = take()
        if key & 7 == 0:
            found[key >> 3] = take()
        elif key & 7 == 2:
            length = take()
            found[key >> 3] = message[at:at + length]
            at += length
        else:
            raise ValueError("a kind of field that no answer has")
    return found
