import Glibc

extension EventLoop {
    /// Processors that are online: as many loops keep them all busy without crowding.
    public static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
