import Glibc

/// The width of the terminal behind a descriptor, in columns; 80 if there is none.
package func terminalColumns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
}
