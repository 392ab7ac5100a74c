#if FUZZING
import Foundation
import FuzzCounters
import FuzzTargets

/// libFuzzer has the program's `main`, and calls this before it begins. It removes this program's words from the arguments.
@_cdecl("LLVMFuzzerInitialize")
func initialize(_ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>) -> CInt {
    let words = (0..<Int(count.pointee)).map { String(cString: arguments.pointee[$0]!) }
    guard words.count > 2, ["run", "cost"].contains(words[1]) else {
        do { try FuzzProgram.act(words) } catch {
            print("fuzz: \(error)")
            exit(1)
        }
    }
    FuzzRun.target = FuzzProgram.target(words)
    FuzzRun.seeksCost = words[1] == "cost"
    for index in 3..<max(3, words.count) { arguments.pointee[index - 2] = arguments.pointee[index] }
    count.pointee -= 2
    arguments.pointee[Int(count.pointee)] = nil
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzRun.take(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}

/// The target of this process, and its costs.
enum FuzzRun {
    // It is safe, because only libFuzzer's one thread uses it.
    nonisolated(unsafe) static var target: FuzzTarget?
    // As above.
    nonisolated(unsafe) static var seeksCost = false
    /// The highest cost per byte so far. It is safe for the same reason.
    nonisolated(unsafe) private static var dearest = 0.0

    static func take(_ input: UnsafeRawBufferPointer) {
        if seeksCost { measure(input) } else { target?.run(input.bytes) }
    }

    /// Runs the target, and reports to libFuzzer if the cost per byte reaches a new step; there are sixteen steps for each doubling. Short inputs
    /// count as 64 bytes, because every run has a fixed cost.
    private static func measure(_ input: UnsafeRawBufferPointer) {
        var cost = once(input)
        if cost > dearest * 1.04 {
            // The machine has other work, so the minimum of a few runs is the input's cost.
            for _ in 0..<5 { cost = min(cost, once(input)) }
        }
        fuzz_reached(CInt(min(255, max(0, log2(cost + 1) * 16))))
        if cost > dearest * 1.04 {
            dearest = cost
            let unit = fuzz_counts_instructions() != 0 ? "instructions" : "ns"
            FileHandle.standardError.write(Data("cost: \(Int(cost)) \(unit) a byte, \(input.count) bytes\n".utf8))
        }
    }

    private static func once(_ input: UnsafeRawBufferPointer) -> Double {
        let before = fuzz_cost()
        target?.run(input.bytes)
        return Double(fuzz_cost() - before) / Double(max(64, input.count))
    }
}
#endif
