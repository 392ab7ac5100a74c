import Glibc
import TestHarness
import Testing
import WireBytes

@Suite struct ByteBufferTests {
    @Test("a long message of which a part has arrived gets room for all of it, and does not move again; before that it gets little")
    func roomForWhole() {
        var buffer = ByteBuffer()
        let part = [UInt8](repeating: 1, count: 1_000)
        var bases: [UnsafeRawPointer?] = []
        for _ in 0..<4_000 {
            let fits = buffer.tryReserve(part.count, of: 4_000_000)
            #expect(fits)
            part.withUnsafeBytes { buffer.append($0) }
            if buffer.count > 33_000 { bases.append(buffer.bytes.baseAddress) }
        }
        let count = buffer.count
        #expect(count == 4_000_000 && Set(bases).count == 1)
        var announced = ByteBuffer()
        let fits = AllocationLimit.$byteCount.withValue(100_000) { announced.tryReserve(1_000, of: 4_000_000) }
        #expect(fits)
    }

    @Test("whatever is appended, used up and cut off, the buffer holds what an array would")
    func againstArray() {
        var random = SeededRandom(seed: 5)
        var buffer = ByteBuffer()
        var model: [UInt8] = []
        for _ in 0..<4_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let count = Int.random(in: 0...(Bool.random(using: &random) ? 8 : 3000), using: &random)
                let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                bytes.withUnsafeBytes { buffer.append($0) }
                model += bytes
            case 5..<9:
                let count = Int.random(in: 0...model.count, using: &random)
                buffer.consume(count)
                model.removeFirst(count)
            default:
                let count = Int.random(in: 0...model.count, using: &random)
                buffer.truncate(to: count)
                model.removeLast(model.count - count)
            }
            #expect(buffer.count == model.count)
            if buffer.count != model.count || !buffer.bytes.elementsEqual(model) {
                Issue.record("the buffer's bytes differ")
                return
            }
        }
        buffer.removeAll()
        #expect(buffer.count == 0)
    }

    /// The resident whole pages of a block, and all its whole pages.
    private func residentPages(of address: UnsafeRawPointer, _ byteCount: Int) -> (resident: Int, all: Int) {
        let page = 4096
        let first = (UInt(bitPattern: address) + UInt(page) - 1) / UInt(page) * UInt(page)
        let count = (Int(UInt(bitPattern: address) + UInt(byteCount)) - Int(first)) / page
        var flags = [UInt8](repeating: 0, count: count)
        // Pages that are not mapped any more are not resident.
        guard mincore(UnsafeMutableRawPointer(bitPattern: first), count * page, &flags) == 0 else { return (0, count) }
        return (flags.count { $0 & 1 == 1 }, count)
    }

    @Test("the memory of an unfinished message goes back to the kernel when its connection ends")
    func endGivesMemoryBack() {
        // Below malloc's threshold for separate mappings, so that `free` alone would keep the pages.
        let byteCount = 120_000
        var address: UnsafeRawPointer?
        var after: UnsafeMutableRawPointer?
        func fillAndEnd() {
            var buffer = ByteBuffer()
            [UInt8](repeating: 1, count: byteCount).withUnsafeBytes { buffer.append($0) }
            address = buffer.bytes.baseAddress
            // A block after it prevents the heap from ending here.
            after = malloc(byteCount)
            let pages = residentPages(of: address!, byteCount)
            #expect(pages.resident == pages.all)
        }
        fillAndEnd()
        let pages = residentPages(of: address!, byteCount)
        #expect(pages.resident <= pages.all / 2)
        free(after)
    }

    @Test func anEmptyBufferLendsNothing() {
        var buffer = ByteBuffer()
        #expect(buffer.bytes.count == 0)
        buffer.append(UnsafeRawBufferPointer(start: nil, count: 0))
        buffer.consume(0)
        #expect(buffer.count == 0)
    }
}

@Suite struct VarintTests {
    @Test("every length of number, at its edges, is written as short as can be and read back")
    func roundTrip() {
        var values: [UInt64] = [0, .max, UInt64(bitPattern: -1), UInt64(bitPattern: .min)]
        for bit: UInt64 in 0..<64 { values += [1 << bit, (1 << bit) - 1, (1 << bit) + 1] }
        for value in values {
            var bytes: [UInt8] = []
            appendVarint(value, to: &bytes)
            #expect(bytes.count == Varint.byteCount(value))
            var written = [UInt8](repeating: 0, count: 10)
            let count = written.withUnsafeMutableBytes { room in Varint.write(value, to: room.baseAddress!) - room.baseAddress! }
            #expect(Array(written[..<count]) == bytes)
            bytes.withUnsafeBytes { bytes in
                var cursor = FieldCursor(bytes)
                #expect(cursor.varint() == value)
                #expect(cursor.isAtEnd)
                for cut in 0..<bytes.count {
                    var cursor = FieldCursor(UnsafeRawBufferPointer(rebasing: bytes[..<cut]))
                    #expect(cursor.varint() == nil)
                }
            }
        }
    }

    @Test("unknown groups are passed over, but only so many fields of them")
    func groups() {
        func skips(_ fieldCounts: Int...) -> Bool {
            // Field 6, a group, with fields 1 of the number 0.
            let bytes = fieldCounts.flatMap { [UInt8](arrayLiteral: 0x33) + Array(repeatElement([0x08, 0x00], count: $0).joined()) + [0x34] }
            return bytes.withUnsafeBytes { bytes in
                var cursor = FieldCursor(bytes), fieldsLeft = FieldCursor.mostGroupFields
                while !cursor.isAtEnd {
                    guard let tag = cursor.varint(), cursor.skip(tag: tag, fieldsLeft: &fieldsLeft) else { return false }
                }
                return true
            }
        }
        #expect(skips(0) && skips(1023) && skips(500, 500))
        #expect(!skips(1024) && !skips(500, 600) && !skips(2_000_000))
    }
}
