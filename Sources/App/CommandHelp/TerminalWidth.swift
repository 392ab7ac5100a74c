import Glibc

/// The width of a descriptor's terminal in columns; 80 if it is not a terminal.
package func terminalColumns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
}
